// tine-test: fn=pair
// CWE-122: the old length is used after the block was made smaller. The twin grows it.
#include <stdlib.h>

int bad(int k) {
    int *p = malloc(8 * sizeof *p);
    p[7] = 0;
    if (k == 5)
        p = realloc(p, 4 * sizeof *p);
    p[7] = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(int k) {
    int *p = malloc(4 * sizeof *p);
    p[3] = 7;
    p = realloc(p, (k == 5 ? 8 : 4) * sizeof *p);
    if (k == 5)
        p[7] = p[3];
    int r = p[3];
    free(p);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
