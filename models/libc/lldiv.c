#include <stdlib.h>

lldiv_t lldiv(long long a, long long b) {
    lldiv_t result;
    /* A decision, so that zero is tried. */
    if (b == 0) {
        volatile long long zero = 0;
        result.quot = a / zero;
    }
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
