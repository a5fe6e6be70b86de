// tine-test: fn=sign
// Absolute value, negation and copying the sign work on one bit.
#include <math.h>
#include <tine.h>

int sign(float x, double y) {
    if (fabsf(x) == 6.5f && copysignf(1.0f, x) < 0.0f)      //~ COVERED
        tine_assert(x != -6.5f);                            //~ ERROR assertion failure
    if (fabs(y) < 0.0)
        return -1;                                          //~ UNREACHABLE
    if (copysign(y, -1.0) > 0.0)
        return -2;                                          //~ UNREACHABLE
    return 0;
}
