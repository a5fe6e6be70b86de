// tine-test: fn=byte_swap
// Bytes in reverse order: 16, 32 and 64 bits.
#include <tine.h>

int byte_swap(unsigned short a, unsigned b, unsigned long c) {
    if (__builtin_bswap16(a) == 0x1234 && a != 0x3412)
        return -1;                                                  //~ UNREACHABLE
    if (__builtin_bswap32(b) == 0x11223344u && __builtin_bswap64(c) == 0x0102030405060708UL)        //~ COVERED
        tine_assert(b != 0x44332211u || c != 0x0807060504030201UL); //~ ERROR assertion failure
    return __builtin_bswap16(a) == 0xff00;
}
