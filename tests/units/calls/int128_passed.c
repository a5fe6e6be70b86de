// tine-test: fn=int128_passed
// 128 bits as argument and result, also after other arguments.
#include <tine.h>

typedef unsigned __int128 u128;

static u128 join(unsigned long high, unsigned long low) { return (u128)high << 64 | low; }
static u128 swap(int a, int b, int c, int d, int e, u128 v) {
    return v << 64 | v >> 64 | (u128)(unsigned)(a + b + c + d + e);
}

int int128_passed(unsigned long high, unsigned long low) {
    u128 v = swap(0, 0, 0, 0, 0, join(high, low));
    if ((unsigned long)v != high)
        return -1;                          //~ UNREACHABLE
    if (v == join(5, 6))                    //~ COVERED
        tine_assert(high != 6);             //~ ERROR assertion failure
    return 0;
}
