// tine-test: fn=saturate
// Arithmetic that stops at the ends of the range.
#include <tine.h>

int saturate(int a, unsigned b, signed char c) {
    if (__builtin_elementwise_add_sat(a, 1000) == 0x7fffffff) {         //~ COVERED
        if (a < 0x7fffffff - 1000)
            return -1;                                                  //~ UNREACHABLE
        tine_assert(a != 0x7ffffc18);                                   //~ ERROR assertion failure
    }
    if (__builtin_elementwise_sub_sat(b, 50u) == 0 && b > 49u)          //~ COVERED
        return b == 50u ? 1 : -2;
    if (__builtin_elementwise_sub_sat(c, (signed char)100) == -128 && c > -29)      //~ COVERED
        return c == -28 ? 2 : -3;
    return 0;
}
