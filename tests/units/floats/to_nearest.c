// tine-test: fn=nearest
// Rounding to integers, and the kinds of floats by the functions that implement the macros of older headers.
#include <math.h>
#include <tine.h>

int __isinf(double), __isnanf(float), __fpclassifyf(float), __signbit(double);

int nearest(double x, float y) {
    if (lround(x) == 7 && x < 7)                //~ COVERED
        tine_assert(x != 6.75);                 //~ ERROR assertion failure
    if (lrint(x) == 8 && x == 8.5)              //~ COVERED
        return 1;
    if (__isinf(x) < 0)                         //~ COVERED
        return __signbit(x) ? 2 : 3;
    if (__isnanf(y))                            //~ COVERED
        return __fpclassifyf(y) == FP_NAN ? 4 : 5;
    tine_assert(__fpclassifyf(y) != FP_SUBNORMAL);  //~ ERROR assertion failure
    return 0;
}
