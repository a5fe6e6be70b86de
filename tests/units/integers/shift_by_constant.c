// tine-test: fn=shift_by_constant
// Right shifts of signed values copy the sign, of unsigned ones they do not.
#include <tine.h>

int shift_by_constant(int s, unsigned u) {
    if (s >> 28 == -8) {                    //~ COVERED
        if (s > 0)
            return -1;                      //~ UNREACHABLE
        tine_assert(s != (-8 * (1 << 28)) + 5);     //~ ERROR assertion failure
    }
    if (u >> 28 == 8u) {                    //~ COVERED
        if ((int)u > 0)
            return -2;                      //~ UNREACHABLE
    }
    if (u << 28 == 0x50000000u)             //~ COVERED
        return (u & 15u) == 5u ? 1 : -3;
    return 0;
}
