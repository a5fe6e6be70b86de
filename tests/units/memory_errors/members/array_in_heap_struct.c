// tine-test: fn=pair
// CWE-122: an array inside a structure on the heap.
#include <stdlib.h>

struct table {
    int count;
    int slot[3];
    int last;
};

int bad(unsigned n) {
    struct table *t = calloc(1, sizeof *t);
    for (unsigned i = 0; i < n && i < 4; i++)
        t->slot[i] = (int)i; //~ ERROR array index out of bounds
    int r = t->last;
    free(t);
    return r;
}

int good(unsigned n) {
    struct table *t = calloc(1, sizeof *t);
    for (unsigned i = 0; i < n && i < 3; i++)
        t->slot[i] = (int)i;
    int r = t->last;
    free(t);
    return r;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
