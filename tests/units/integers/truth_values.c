// tine-test: fn=truth_values
// Comparisons are ints, bools hold one bit, and both compute.
#include <stdbool.h>
#include <tine.h>

int truth_values(int x, int y) {
    bool low = x & 6;                               // any of two bits
    int sum = low + (x > 0) + (y == 9) + !y;
    if (sum == 4)
        return -1;                                  //~ UNREACHABLE
    if (sum == 3)                                   //~ COVERED
        tine_assert(x != 0x40000002 || y != 9);     //~ ERROR assertion failure
    low ^= 1;
    if (low && (x & 4))
        return -2;                                  //~ UNREACHABLE
    return 0;
}
