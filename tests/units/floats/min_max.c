// tine-test: fn=min_max
// fmin and fmax: a NaN loses against a number.
#include <math.h>
#include <tine.h>

int min_max(float x, float y) {
    if (fminf(x, y) == 1.5f && fmaxf(x, y) == 2.5f)     //~ COVERED
        tine_assert(x != 2.5f);                         //~ ERROR assertion failure
    if (x != x && fmaxf(x, 3.0f) != 3.0f)
        return -1;                                      //~ UNREACHABLE
    return 0;
}
