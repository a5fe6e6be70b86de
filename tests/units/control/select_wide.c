// tine-test: fn=choose
// `select` over 128 bits, over floats and over bytes.
#include <tine.h>

int choose(int c, unsigned char d) {
    __int128 wide = c > 5 ? (__int128)3 << 100 : (__int128)-1;
    float real = c > 5 ? 0.5f : 2.5f;
    signed char byte = d & 8 ? -100 : 100;
    if (wide >> 100 == 3 && byte < 0)           //~ COVERED
        tine_assert(c != 77 || d != 0x1f);      //~ ERROR assertion failure
    if (c <= 5 && real != 2.5f)
        return -1;                              //~ UNREACHABLE
    return 0;
}
