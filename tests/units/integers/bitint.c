// tine-test: fn=bitint
// Widths that no register has.
#include <tine.h>

int bitint(unsigned x, unsigned long y) {
    unsigned _BitInt(24) narrow = (unsigned _BitInt(24))x;
    narrow += 1;
    if (narrow == 0) {                              //~ COVERED
        if ((x & 0xffffffu) != 0xffffffu)
            return -1;                              //~ UNREACHABLE
        return 1;
    }
    _BitInt(12) small = (_BitInt(12))x;
    if (small == -2048)                             //~ COVERED
        tine_assert(x != 0xabc800u);                //~ ERROR assertion failure
    unsigned _BitInt(100) wide = y;
    wide <<= 40;
    if (wide >> 90 == 3)                            //~ COVERED
        return 2;
    return 0;
}
