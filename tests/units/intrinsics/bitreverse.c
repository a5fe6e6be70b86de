// tine-test: fn=bit_reverse paths=3
// Bits in reverse order.
#include <tine.h>

int bit_reverse(unsigned x, unsigned char y) {
    tine_assert(__builtin_bitreverse32(x) != 0x80000003u);      //~ ERROR assertion failure
    if (__builtin_bitreverse8(y) == 0x16)                       //~ COVERED
        return y == 0x68 ? 1 : -1;
    return 0;
}
