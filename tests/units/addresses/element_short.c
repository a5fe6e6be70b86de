// tine-test: fn=element_short
// Elements of two bytes; the halves of two neighbours make no element.
#include <tine.h>

int element_short(unsigned i) {
    static short t[8] = {0x0102, 0x0304, 0x0506, 0x0708, -2, -300, 0x0b0c, 0x0d0e};
    short v = t[i % 8];
    if (v == -300)                          //~ COVERED
        tine_assert(i % 8 != 5);            //~ ERROR assertion failure
    if (v == 0x0203 || v == 0x0401)
        return -1;                          //~ UNREACHABLE
    return v;
}
