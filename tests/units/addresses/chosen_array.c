// tine-test: fn=chosen_array
// An index into one of two arrays of different length.
#include <tine.h>

int chosen_array(int c, unsigned i) {
    int small[2] = {1, 2}, big[6] = {3, 4, 5, 6, 7, 8};
    int *p = c < 0 ? small : big;
    unsigned n = c < 0 ? 2 : 6;
    tine_assume(i < n);
    p[i] += 10;
    if (big[5] == 18)                                           //~ COVERED
        tine_assert(i != 5);                                    //~ ERROR assertion failure
    tine_assert(small[0] + small[1] + big[0] + big[5] <= 3 + 3 + 8 + 10);
    if (small[1] == 12 && c >= 0)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
