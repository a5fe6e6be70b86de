// tine-test: fn=pair
// CWE-680: `calloc` checks its product, a product by hand wraps.
#include <stdint.h>
#include <stdlib.h>

int bad(uint64_t n) {
    if (n != 0x2000000000000001u && n > 4)
        return 0;
    long *p = malloc(n * sizeof *p);
    if (!p)
        return 0;
    for (uint64_t i = 0; i < n && i < 5; i++)
        p[i] = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(uint64_t n) {
    if (n != 0x2000000000000001u && n > 4)
        return 0;
    long *p = calloc(n, sizeof *p);
    if (!p)
        return 0;
    for (uint64_t i = 0; i < n && i < 5; i++)
        p[i] = 1;
    free(p);
    return 0;
}

int pair(int faulty, uint64_t n) { return faulty ? bad(n) : good(n); }
