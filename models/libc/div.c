#include <stdlib.h>

div_t div(int a, int b) {
    div_t result;
    /* A decision, so that zero is tried. */
    if (b == 0) {
        volatile int zero = 0;
        result.quot = a / zero;
    }
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
