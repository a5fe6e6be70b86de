// tine-test: fn=shift_by_input
// The amount is an input too.
#include <tine.h>

int shift_by_input(unsigned x, unsigned n) {
    if (n >= 32)                            //~ COVERED
        return 0;
    if (x == 3u && (x << n) == 0x80000000u)         //~ COVERED
        tine_assert(n != 31);               //~ ERROR assertion failure
    if ((int)x < 0 && ((int)x >> n) == -2)  //~ COVERED
        return 1;
    return 2;
}
