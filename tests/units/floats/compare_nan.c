// tine-test: fn=compare_nan
// A NaN is not equal to itself, and neither smaller nor larger than anything.
#include <tine.h>

int compare_nan(float x, double y) {
    if (!(x < 1.0f) && !(x >= 1.0f)) {      //~ COVERED
        if (x == x)
            return -1;                      //~ UNREACHABLE
        tine_assert(y != 2.0);              //~ ERROR assertion failure
    }
    if (y != y && (y < 0.0 || y > 0.0 || y == 0.0))
        return -2;                          //~ UNREACHABLE
    return 0;
}
