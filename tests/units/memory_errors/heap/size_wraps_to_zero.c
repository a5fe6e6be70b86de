// tine-test: fn=pair
// CWE-680: adding the header's size wraps in 8 bits.
#include <stdint.h>
#include <stdlib.h>

int bad(uint8_t length) {
    uint8_t total = length + 4;
    unsigned char *p = malloc(total);
    if (length >= 250)
        p[4] = 1; //~ ERROR out-of-bounds write
    free(p);
    return total;
}

int good(uint8_t length) {
    size_t total = (size_t)length + 4;
    unsigned char *p = malloc(total);
    if (length >= 250)
        p[4] = 1;
    free(p);
    return 0;
}

int pair(int faulty, uint8_t length) { return faulty ? bad(length) : good(length); }
