// tine-test: fn=infinity
// Overflow ends in infinity, which absorbs what is added.
#include <tine.h>

int infinity(float x) {
    if (x > 0.0f && x + 1.0f == x && x * 0.5f == x) {       //~ COVERED
        if (x < 3.4e38f)
            return -1;                                      //~ UNREACHABLE
        tine_assert(x - x == 0.0f);                         //~ ERROR assertion failure
    }
    if (x < 3.0e38f && x > 0.0f && x * 4.0f > 3.4028235e38f)        //~ COVERED
        return 1;
    return 0;
}
