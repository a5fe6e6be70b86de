// tine-test: fn=switch_long paths=5
// 64-bit values that differ only above bit 32, and negative ones.
#include <tine.h>

int switch_long(long x) {
    switch (x) {                        //~ COVERED
    case 5:
        return 1;
    case 0x100000005L:
        return 2;
    case -0x7fffffffffffffffL - 1:
        tine_assert(x > 0);             //~ ERROR assertion failure
        return 3;
    case -1:
        return 4;
    default:
        return 0;
    }
}
