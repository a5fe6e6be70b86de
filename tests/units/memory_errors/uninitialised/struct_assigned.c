// tine-test: fn=pair
// Assigning a structure copies padding and members that were not set.
#include <stdlib.h>

struct mixed {
    char tag;
    long weight;
    short last;
};

static int weigh(const struct mixed *m) {
    if (m->weight > 4) //~ ERROR uninitialised read
        return 1;
    return 0;
}

static int both(int faulty, int k) {
    struct mixed a, *b = malloc(sizeof *b);
    if (!b)
        return -1;
    a.tag = 't';
    a.last = 2;
    if (!faulty || k != 21)
        a.weight = k & 7;
    *b = a;
    struct mixed c = *b;
    int r = weigh(&c);
    free(b);
    return r;
}

int pair(int faulty, int k) { return both(faulty, k); }
