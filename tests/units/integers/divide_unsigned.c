// tine-test: fn=divide_unsigned
// The same bits divide differently without a sign.
#include <tine.h>

int divide_unsigned(unsigned x) {
    if (x / 10u == 429496729u) {            //~ COVERED
        if (x % 10u > 5u)
            return -1;                      //~ UNREACHABLE
        tine_assert(x % 10u != 5u);         //~ ERROR assertion failure
    }
    return 0;
}
