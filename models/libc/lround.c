#include <limits.h>
#include <math.h>

long lround(double x) {
    double whole = round(x);
    /* The machine's result for a value that does not fit. */
    return whole >= -0x1p63 && whole < 0x1p63 ? (long)whole : LONG_MIN;
}
