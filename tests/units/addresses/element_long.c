// tine-test: fn=element_long
// Elements of eight bytes, by an index of another width.
#include <tine.h>

int element_long(unsigned short i) {
    static const long t[5] = {1L << 40, -1, 0x123456789abL, 7, 1L << 62};
    long v = t[i % 5];
    if (v > 1L << 41)                       //~ COVERED
        if (v == 1L << 62)                  //~ COVERED but 1: 0x123456789ab is less than 1 << 41
            tine_assert(i % 5 != 4);        //~ ERROR assertion failure
    if (v == 0x23456789abL)
        return -1;                          //~ UNREACHABLE
    return 0;
}
