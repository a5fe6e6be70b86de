// tine-test: fn=inside
// A pointer to an `int` may point to one inside a struct that another pointer points to.
#include <stdlib.h>

struct pair {
    char tag;
    int first, second;
};

void inside(struct pair *p, int *i) {
    if (!p || !i)                       //~ COVERED
        return;
    p->second = 1;
    *i = 2;
    if (p->second == 2)                 //~ COVERED
        abort();                        //~ ERROR abort
}
