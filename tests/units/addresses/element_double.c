// tine-test: fn=element_double
// Real numbers in a table.
#include <tine.h>

int element_double(unsigned i) {
    static const double t[4] = {0.5, -2.25, 1e10, 3.0};
    double v = t[i & 3] * 2;
    if (v == -4.5)                          //~ COVERED
        tine_assert((i & 3) != 1);          //~ ERROR assertion failure
    if (v > 7 && v < 1e9)
        return -1;                          //~ UNREACHABLE
    return 0;
}
