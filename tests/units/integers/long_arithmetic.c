// tine-test: fn=long_arithmetic
// 64 bits: constants and results that do not fit 32.
#include <tine.h>

int long_arithmetic(long s, unsigned long u) {
    if (s < -9000000000000000000L && s % 1000 == -7)        //~ COVERED
        tine_assert(s != -9000000000000000007L);            //~ ERROR assertion failure
    if (u * 0x9e3779b97f4a7c15UL == 0x0123456789abcdefUL)   //~ COVERED
        return 1;
    if ((u & 0xffffffffUL) == 7 && u >> 32 == 0xcafe)       //~ COVERED
        return u == 0xcafe00000007UL ? 2 : -1;
    return 0;
}
