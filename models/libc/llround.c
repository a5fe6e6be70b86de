#include <limits.h>
#include <math.h>

long long llround(double x) {
    double whole = round(x);
    /* The machine's result for a value that does not fit. */
    return whole >= -0x1p63 && whole < 0x1p63 ? (long long)whole : LLONG_MIN;
}
