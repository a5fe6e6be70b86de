// tine-test: fn=from_int
// An int that a float cannot hold is rounded to an even neighbour.
#include <tine.h>

int from_int(int i, unsigned u) {
    if ((float)i == 16777216.0f && i != 16777216)       //~ COVERED
        tine_assert(i == -1);                           //~ ERROR assertion failure
    if ((double)u == 4294967295.0)                      //~ COVERED
        return u == 0xffffffffu ? 1 : -1;
    if ((float)u < 0.0f)
        return -2;                                      //~ UNREACHABLE
    return 0;
}
