// tine-test: fn=overflow_subtract
// The builtins that say whether a difference fits.
#include <tine.h>

int overflow_subtract(long a, unsigned b, unsigned c) {
    long difference;
    unsigned udifference;
    if (__builtin_ssubl_overflow(a, 1000L, &difference)) {      //~ COVERED
        if (a > 0)
            return -1;                                          //~ UNREACHABLE
        tine_assert(difference != 0x7fffffffffffffffL);         //~ ERROR assertion failure
    }
    if (__builtin_sub_overflow(b, c, &udifference)) {           //~ COVERED
        if (b >= c)
            return -2;                                          //~ UNREACHABLE
        return udifference == 0xffffffffu ? 1 : 2;
    }
    return 0;
}
