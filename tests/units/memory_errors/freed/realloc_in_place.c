// tine-test: fn=pair
// CWE-416: even if `realloc` does not have to move the block, the old pointer is dead.
#include <stdlib.h>

int bad(int k) {
    char *p = malloc(64), *old = p;
    p[0] = 1;
    p = realloc(p, k == 9 ? 8 : 64);
    int r = k == 9 ? old[0] : p[0]; //~ ERROR use after free
    free(p);
    return r;
}

int good(int k) {
    char *p = malloc(64);
    p[0] = 1;
    p = realloc(p, k == 9 ? 8 : 64);
    int r = p[0];
    free(p);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
