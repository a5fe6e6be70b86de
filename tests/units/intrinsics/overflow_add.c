// tine-test: fn=overflow_add
// The builtins that say whether a sum fits.
#include <tine.h>

int overflow_add(int a, int b, unsigned c) {
    int sum;
    unsigned usum;
    if (__builtin_add_overflow(a, b, &sum)) {           //~ COVERED
        if ((a < 0) != (b < 0))
            return -1;                                  //~ UNREACHABLE
        tine_assert(sum != -2 || a != 0x7fffffff);      //~ ERROR assertion failure
    } else if (sum == 1000000) {                        //~ COVERED
        return 1;
    }
    if (__builtin_uadd_overflow(c, 5u, &usum))          //~ COVERED
        return usum < 5u ? 2 : -2;
    return 0;
}
