// tine-test: fn=classify
// The questions of <math.h>.
#include <math.h>
#include <tine.h>

int classify(float x) {
    if (isnan(x))                               //~ COVERED
        return x == x ? -1 : 1;
    if (isinf(x)) {                             //~ COVERED
        tine_assert(!signbit(x));               //~ ERROR assertion failure
        return 2;
    }
    if (!isfinite(x))
        return -2;                              //~ UNREACHABLE
    if (!isnormal(x) && x != 0.0f)              //~ COVERED
        return x < 1.17549435e-38f ? 3 : -3;
    return 0;
}
