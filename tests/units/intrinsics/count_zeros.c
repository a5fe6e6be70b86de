// tine-test: fn=count_zeros
// Leading and trailing zeros, first set bit, redundant sign bits.
#include <tine.h>

int count_zeros(unsigned x, unsigned long y) {
    if (x == 0)                                         //~ COVERED
        return 0;
    if (__builtin_clz(x) == 3 && __builtin_ctz(x) == 27) {      //~ COVERED
        if (x != 0x18000000u)
            return -1;                                  //~ UNREACHABLE
        tine_assert(__builtin_popcount(x) != 2);        //~ ERROR assertion failure
    }
    if (__builtin_ffsl((long)y) == 0 && y != 0)
        return -2;                                      //~ UNREACHABLE
    if (__builtin_ffsl((long)y) == 60)                  //~ COVERED
        return y % 2 == 0 ? 1 : -3;
    return __builtin_clrsb((int)x) == 31;
}
