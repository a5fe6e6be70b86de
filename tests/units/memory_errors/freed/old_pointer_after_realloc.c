// tine-test: fn=pair
// CWE-416: a pointer into a block survives `realloc`. The twin keeps an index.
#include <stdlib.h>

int bad(int k) {
    int *p = calloc(2, sizeof *p), *last = p + 1;
    if (k == 40)
        p = realloc(p, 4000 * sizeof *p);
    *last = 1; //~ ERROR use after free
    free(p);
    return 0;
}

int good(int k) {
    int *p = calloc(2, sizeof *p);
    size_t last = 1;
    if (k == 40)
        p = realloc(p, 4000 * sizeof *p);
    p[last] = 1;
    free(p);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
