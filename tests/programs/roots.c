// tine-test: fn=roots
// Kinds of numbers, with floats.
#include <math.h>

static int kind(double x) {
    if (isnan(x))
        return 0;
    return isinf(x) ? 1 : x < 0 || x > 1e300 ? 2 : 3;
}

int roots(float a, float b) {
    double slope = a > 0 ? 1.5 : a < 0 ? -1.5 : 0;   //~ GCOV choice
    int is_flat = slope == 0 && b != 0;
    return kind(a) == 3 && !is_flat ? kind(b) : -1;
}
