#include <limits.h>
#include <math.h>

long lroundf(float x) {
    float whole = roundf(x);
    /* The machine's result for a value that does not fit. */
    return whole >= -0x1p63f && whole < 0x1p63f ? (long)whole : LONG_MIN;
}
