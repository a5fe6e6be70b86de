// tine-test: fn=int128_unsigned
// 128 bits: carries cross the middle.
#include <tine.h>

typedef unsigned __int128 u128;

int int128_unsigned(unsigned long high, unsigned long low) {
    u128 v = (u128)high << 64 | low;
    if (v * 3 == ((u128)0x124 << 64 | 0x8)) {               //~ COVERED
        if (low == 0)
            return -1;                                      //~ UNREACHABLE
        tine_assert((unsigned long)(v >> 64) != 0x61);      //~ ERROR assertion failure
    }
    if (v + 1 == 0)                                         //~ COVERED
        return high + low == ~1UL ? 1 : -2;
    if (v - 1 > v)                                          //~ COVERED
        return 2;
    return 0;
}
