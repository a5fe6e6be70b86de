// tine-test: fn=mixed_width_read
// Written as words, read as bytes and halves.
#include <string.h>
#include <tine.h>

int mixed_width_read(unsigned i, unsigned j, unsigned x) {
    unsigned t[4] = {0x11111111u, 0x22222222u, 0x33333333u, 0x44444444u};
    t[i & 3] = x;
    unsigned char byte = ((unsigned char *)t)[j & 15];
    unsigned short half;
    memcpy(&half, (char *)t + 6, sizeof half);
    if (byte == 0xa5 && half == 0xbeef)                     //~ COVERED
        tine_assert((x >> 16) != 0xbeef || (i & 3) != 1);   //~ ERROR assertion failure
    if (half != 0x2222 && (i & 3) != 1)
        return -1;                                          //~ UNREACHABLE
    if ((j & 15) >> 2 != (i & 3) && byte == 0xa5)
        return -2;                                          //~ UNREACHABLE
    return 0;
}
