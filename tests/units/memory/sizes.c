// tine-test: fn=sizes
// One value, read back in pieces of every size.
#include <string.h>
#include <tine.h>

int sizes(unsigned long x) {
    unsigned char bytes[8];
    unsigned short half;
    unsigned word;
    unsigned long whole;
    memcpy(bytes, &x, 8);
    memcpy(&half, bytes + 1, 2);            // unaligned
    memcpy(&word, bytes + 3, 4);
    memcpy(&whole, bytes, 8);
    if (whole != x)
        return -1;                          //~ UNREACHABLE
    if (half == 0xbeef && word == 0x600df00d && bytes[7] == 0x77)       //~ COVERED
        tine_assert(bytes[0] != 0x99);      //~ ERROR assertion failure
    return 0;
}
