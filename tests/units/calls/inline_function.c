// tine-test: fn=inlined
// Inline functions are followed like others.
#include <tine.h>

static inline unsigned mix(unsigned x) { return (x ^ (x >> 7)) * 9u; }
static inline __attribute__((always_inline)) unsigned twice(unsigned x) { return mix(mix(x)); }

int inlined(unsigned x) {
    if (twice(x) == 81u * 4u)               //~ COVERED
        tine_assert(x != 4u);               //~ ERROR assertion failure
    return 0;
}
