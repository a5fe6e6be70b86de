// tine-test: fn=pair
// CWE-122: the last store of four bytes crosses the end of a block of six.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int bad(uint32_t x) {
    unsigned char *p = malloc(6);
    memset(p, 0, 6);
    if (x == 77)
        *(uint32_t *)(p + 4) = x; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(uint32_t x) {
    unsigned char *p = malloc(6);
    memset(p, 0, 6);
    if (x == 77)
        memcpy(p + 2, &x, sizeof x);
    *(uint16_t *)(p + 4) = 1;
    free(p);
    return 0;
}

int pair(int faulty, uint32_t x) { return faulty ? bad(x) : good(x); }
