// tine-test: fn=far
// Far inside an object: every place counts, not the first few.
#include <stdlib.h>

struct block {
    int a[40];
};

void far(struct block *b, int *i) {
    if (!b || !i)                       //~ COVERED
        return;
    b->a[35] = 1;
    *i = 2;
    if (b->a[35] == 2)                  //~ COVERED
        abort();                        //~ ERROR abort
}
