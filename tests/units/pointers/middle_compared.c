// tine-test: fn=inside input="i = &p->second"
// The comparison says where.
#include <stdlib.h>

struct pair {
    char tag;
    int first, second;
};

void inside(struct pair *p, int *i) {
    if (p && i == &p->second)           //~ COVERED
        abort();                        //~ ERROR abort
}
