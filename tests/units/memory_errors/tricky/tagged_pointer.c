// tine-test: fn=f verdict=bounded
// A bit of a pointer is a tag, and half of the pointee is never set.
#include <stdint.h>
#include <stdlib.h>

struct cell {
    long used, unused;
};

int f(int k) {
    struct cell *c = malloc(sizeof *c);
    if (!c)
        return -1;
    c->used = k;
    uintptr_t tagged = (uintptr_t)c | (k > 3);
    struct cell *p = (struct cell *)(tagged & ~(uintptr_t)1);
    int r = 0;
    if ((tagged & 1) && p->used == 9)
        r = 1;
    free(p);
    return r;
}
