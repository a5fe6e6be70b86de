// tine-test: fn=short_arithmetic
// 16 bits: truncation on store, sign extension on load.
#include <tine.h>

int short_arithmetic(short s, unsigned short u) {
    short doubled = (short)(s * 2);
    if (doubled == -2 && s > 0)             //~ COVERED
        tine_assert(s != 0x7fff);           //~ ERROR assertion failure
    if ((unsigned short)(u + 1) < u) {      //~ COVERED
        if (u != 0xffff)
            return -2;                      //~ UNREACHABLE
        return 1;
    }
    return 0;
}
