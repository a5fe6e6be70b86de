// tine-test: fn=from_long
// 64-bit integers to double, with and without sign; chars on the way.
#include <tine.h>

int from_long(long l, unsigned long u, signed char c) {
    if ((double)l == -9007199254740992.0 && l != -9007199254740992L)    //~ COVERED
        tine_assert(l != -9007199254740993L);                           //~ ERROR assertion failure
    if ((double)u == 18446744073709551616.0)                            //~ COVERED
        return u > 0xfffffffffffffbffUL ? 1 : -1;
    if ((float)c == -128.0f)                                            //~ COVERED
        return 2;
    return 0;
}
