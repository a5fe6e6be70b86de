// tine-test: fn=mixed_width_write
// Written as bytes, read as a word.
#include <tine.h>

unsigned mixed_width_write(unsigned i, unsigned char b) {
    unsigned word = 0x01020304u;
    unsigned char *bytes = (unsigned char *)&word;
    bytes[i & 3] = b;
    if (word == 0x01770304u)                                //~ COVERED
        tine_assert((i & 3) != 2 || b != 0x77);             //~ ERROR assertion failure
    if (word == 0x77770304u)
        return 1;                                           //~ UNREACHABLE
    return 0;
}
