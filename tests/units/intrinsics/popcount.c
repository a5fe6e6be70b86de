// tine-test: fn=popcount
// Counting bits, and whether their number is odd.
#include <tine.h>

int popcount(unsigned x, unsigned long y) {
    if (__builtin_popcount(x) == 31) {                      //~ COVERED
        if (__builtin_parity(x) == 0)
            return -1;                                      //~ UNREACHABLE
        tine_assert(x != 0xffffefffu);                      //~ ERROR assertion failure
    }
    if (__builtin_popcountl(y) == 1 && y > 0x4000000000000000UL)    //~ COVERED
        return y == 0x8000000000000000UL ? 1 : -2;
    return 0;
}
