// tine-test: fn=pair
// CWE-415: `realloc(p, 0)` may free; the twin never asks for nothing.
#include <stdlib.h>

int bad(unsigned n) {
    char *p = malloc(4);
    char *q = realloc(p, n & 1);
    if (!q)
        free(p); //~ ERROR double free
    free(q);
    return 0;
}

int good(unsigned n) {
    char *p = NULL;
    for (unsigned size = 1; size <= (n & 7) + 1; size++) {
        p = realloc(p, size);
        p[size - 1] = 1;
    }
    free(p);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
