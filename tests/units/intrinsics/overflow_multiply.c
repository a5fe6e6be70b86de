// tine-test: fn=overflow_multiply
// The builtins that say whether a product fits.
#include <tine.h>

int overflow_multiply(int a, unsigned b) {
    int product;
    unsigned uproduct;
    if (__builtin_mul_overflow(a, 1000, &product)) {        //~ COVERED
        if (a > -2147483 && a < 2147483)
            return -1;                                      //~ UNREACHABLE
        tine_assert(product != 0);                          //~ ERROR assertion failure
    }
    if (!__builtin_umul_overflow(b, 65536u, &uproduct) && uproduct == 0xffff0000u)     //~ COVERED
        return b == 65535u ? 1 : -2;
    return 0;
}
