// tine-test: fn=pair
// CWE-122: `malloc(0)` gives a block that has no first byte. The twin only compares and frees it.
#include <stdlib.h>

int bad(unsigned n) {
    if (n > 3)
        return 0;
    char *p = malloc(n);
    p[0] = 'x'; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned n) {
    if (n > 3)
        return 0;
    char *p = malloc(n), *q = malloc(n);
    int differ = p != q;
    for (char *c = p; c < p + n; c++)
        *c = 'x';
    free(p);
    free(q);
    return differ;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
