#include <stdlib.h>

ldiv_t ldiv(long a, long b) {
    ldiv_t result;
    /* A decision, so that zero is tried. */
    if (b == 0) {
        volatile long zero = 0;
        result.quot = a / zero;
    }
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
