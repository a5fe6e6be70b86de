// tine-test: fn=choose
// `select` over 128 bits and over floats.
#include <tine.h>

int choose(int c, long a, float f) {
    __int128 wide_a = a, wide_b = -1;
    __int128 wide = c > 5 ? wide_a : wide_b;
    float other = 2.5f;
    float real = c > 5 ? f : other;
    if (wide == 12 && real == 0.5f)                 //~ COVERED
        tine_assert(a != 12 || f != 0.5f);          //~ ERROR assertion failure
    if (c <= 5 && real != 2.5f)
        return -1;                                  //~ UNREACHABLE
    return 0;
}
