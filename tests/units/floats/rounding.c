// tine-test: fn=rounding
// To integral values: down, up, toward zero, to nearest even, to nearest away.
#include <math.h>
#include <tine.h>

int rounding(float x) {
    if (floorf(x) == -3.0f && ceilf(x) == -2.0f) {      //~ COVERED
        if (truncf(x) != -2.0f)
            return -2;                                  //~ UNREACHABLE
        if (rintf(x) != roundf(x))                      //~ COVERED
            tine_assert(x != -2.5f);                    //~ ERROR assertion failure
        return 1;
    }
    return 0;
}
