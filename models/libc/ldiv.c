#include <stdlib.h>

ldiv_t ldiv(long a, long b) {
    ldiv_t result;
    /* A decision, so that it is tried. */
    if (b == 0)
        __builtin_trap();
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
