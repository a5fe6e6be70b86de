// tine-test: fn=pair
// CWE-416: `memcpy` from a block that a callee has freed.
#include <stdlib.h>
#include <string.h>

static void finish(char *p, int drop) {
    if (drop)
        free(p);
}

static int run(int k, int drop) {
    char *p = calloc(8, 1), copy[8];
    finish(p, k == 21 && drop);
    memcpy(copy, p, sizeof copy); //~ ERROR use after free
    free(p);
    return copy[7];
}

int bad(int k) { return run(k, 1); }
int good(int k) { return run(k, 0); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
