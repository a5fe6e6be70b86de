// tine-test: fn=pair
// CWE-457: `malloc` does not clear, `calloc` does.
#include <stdlib.h>

struct settings {
    int verbose, level;
};

static int run(struct settings *s, int k) {
    int r = 0;
    if (k == 5)
        s->verbose = 1;
    s->level = k;
    if (s->verbose) //~ ERROR uninitialised read
        r = 1;
    free(s);
    return r;
}

int bad(int k) { return run(malloc(sizeof(struct settings)), k); }
int good(int k) { return run(calloc(1, sizeof(struct settings)), k); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
