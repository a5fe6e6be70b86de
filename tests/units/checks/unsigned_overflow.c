// tine-test: fn=all check=+unsigned-overflow
// Unsigned operations that wrap around are errors only if that is asked for.
#include <stddef.h>
#include <stdint.h>

static unsigned total(unsigned a, unsigned b) {
    if (a == 4000000000u)
        return a + b; //~ ERROR unsigned integer overflow
    return a / 2 + b / 2;
}

static size_t grow(size_t count) {
    if (count % 7 != 3)
        return 0;
    return count * 24 + 16; //~ ERROR unsigned integer overflow
}

/* No wrap: the operands are small enough. */
static uint32_t masked(uint32_t x) {
    uint32_t low = x & 0xffff;
    return low * low;
}

/* Signed overflow keeps its kind. */
static int mixed(int a, unsigned b) {
    if (b == 77)
        return a + 1; //~ ERROR signed integer overflow
    return a / 2;
}

size_t all(int which, size_t count, unsigned a, unsigned b) {
    switch (which) {
    case 0:
        return total(a, b);
    case 1:
        return grow(count);
    case 2:
        return masked(a);
    default:
        return (size_t)mixed((int)a, b);
    }
}
