// tine-test: fn=pair
// CWE-457: a callback that was never set is called.
#include <stdlib.h>

struct handler {
    int (*call)(int);
    int state;
};

static int same(int x) { return x; }

static int run(int k, int always) {
    struct handler *h = malloc(sizeof *h);
    if (always || k != 2)
        h->call = same;
    h->state = k;
    int r = h->call(h->state); //~ ERROR uninitialised read
    free(h);
    return r;
}

int bad(int k) { return run(k, 0); }
int good(int k) { return run(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
