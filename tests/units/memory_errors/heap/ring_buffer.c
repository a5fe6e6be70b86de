// tine-test: fn=pair
// CWE-122: the index of a ring wraps one step too late.
#include <stdlib.h>

struct ring {
    unsigned head, size;
    int *slot;
};

static void put(struct ring *r, int value, unsigned wrap) {
    r->slot[r->head] = value; //~ ERROR out-of-bounds write
    if (++r->head > wrap)
        r->head = 0;
}

static int run(unsigned n, unsigned wrap) {
    struct ring r = {0, 3, malloc(3 * sizeof(int))};
    for (unsigned i = 0; i < n && i < 5; i++)
        put(&r, (int)i, wrap);
    free(r.slot);
    return 0;
}

int bad(unsigned n) { return run(n, 3); }
int good(unsigned n) { return run(n, 2); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
