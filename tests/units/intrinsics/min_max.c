// tine-test: fn=min_max
// Smallest and largest, signed and unsigned, and absolute value without a trap.
#include <tine.h>

int min_max(int a, int b, unsigned c, unsigned d) {
    int low = __builtin_elementwise_min(a, b), high = __builtin_elementwise_max(a, b);
    if (low > high)
        return -1;                                              //~ UNREACHABLE
    if (low == -40 && high == 30)                               //~ COVERED
        tine_assert(a != 30);                                   //~ ERROR assertion failure
    if (__builtin_elementwise_min(c, d) == 0x80000000u && __builtin_elementwise_max(c, d) == 0x80000001u)   //~ COVERED
        return 1;
    if (__builtin_elementwise_abs(a) == 12345 && a < 0)         //~ COVERED
        return 2;
    return 0;
}
