// tine-test: fn=pair
// CWE-680: the product of count and size wraps, so the block is too small. The twin tests before it multiplies.
#include <stdint.h>
#include <stdlib.h>

int bad(uint32_t count) {
    if (count == 0)
        return 0;
    uint32_t size = count * 8u;
    if (size > 64)
        return 0;
    uint64_t *p = malloc(size);
    for (uint32_t i = 0; i < count && i < 100; i++)
        p[i] = i; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(uint32_t count) {
    if (count == 0 || count > UINT32_MAX / 8u || count * 8u > 64)
        return 0;
    uint64_t *p = malloc(count * 8u);
    for (uint32_t i = 0; i < count && i < 100; i++)
        p[i] = i;
    free(p);
    return 0;
}

int pair(int faulty, uint32_t count) { return faulty ? bad(count) : good(count); }
