// tine-test: fn=element_char
// A table of bytes: one entry leads on, and none lies between two others.
#include <tine.h>

int element_char(unsigned char i) {
    static const signed char t[16] = {3, -1, 4, 1, -5, 9, 2, 6, 5, -3, 5, 8, 9, -7, 9, 3};
    signed char v = t[i & 15];
    if (v == -7)                            //~ COVERED
        tine_assert((i & 15) != 13);        //~ ERROR assertion failure
    if (v == 7)
        return -1;                          //~ UNREACHABLE
    tine_assert(v != 8 || (i & 15) == 11);
    return 0;
}
