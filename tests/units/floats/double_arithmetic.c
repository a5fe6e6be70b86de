// tine-test: fn=double_arithmetic
// 64 bits: tenths do not add up.
#include <tine.h>

int double_arithmetic(double x) {
    if (x + 0.2 == 0.3)                                     //~ COVERED
        tine_assert(x == 0.1);                              //~ ERROR assertion failure
    if (x - 1.0 == x && x > 0.0 && x < 1.0e16)              //~ COVERED
        return 1;
    return 0;
}
