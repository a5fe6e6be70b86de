// tine-test: fn=keep_low
// Narrowing keeps the low bits, whatever was above.
#include <tine.h>

int keep_low(unsigned long x) {
    unsigned char byte = (unsigned char)x;
    unsigned short half = (unsigned short)x;
    unsigned word = (unsigned)x;
    if (byte == 0x7f && half == 0x127f && word == 0x3456127f && x != word) {    //~ COVERED
        if ((word & 0xff) != byte)
            return -1;                              //~ UNREACHABLE
        tine_assert(x >> 32 != 0x9abcdef0);         //~ ERROR assertion failure
    }
    return 0;
}
