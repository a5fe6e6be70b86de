// tine-test: fn=signed_zero
// Both zeros are equal, but not to a division.
#include <tine.h>

int signed_zero(float x) {
    if (x == 0.0f) {                        //~ COVERED
        if (x < 0.0f)
            return -1;                      //~ UNREACHABLE
        tine_assert(1.0f / x > 0.0f);       //~ ERROR assertion failure
        return 1;
    }
    return 0;
}
