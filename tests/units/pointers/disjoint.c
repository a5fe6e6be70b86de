// tine-test: fn=disjoint
// tine-test: fn=disjoint max-objects=2
// Objects of different types are different objects, whatever the pointers.
#include <stdlib.h>

struct a { int x; };
struct b { long y; };

void disjoint(struct a *a, struct b *b) {
    if (!a || !b)                               //~ COVERED
        return;
    a->x = 1;
    b->y = 2;
    if (a->x != 1)
        abort();                                //~ UNREACHABLE
}
