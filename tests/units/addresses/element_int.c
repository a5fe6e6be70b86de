// tine-test: fn=element_int cflags="-fwrapv"
// Elements of four bytes, some of them inputs.
#include <tine.h>

int element_int(unsigned i, int x) {
    int t[4] = {10, x, 30, x + 1};
    int v = t[i & 3];
    if (v == 77 && (i & 3) == 3)            //~ COVERED
        tine_assert(x != 76);               //~ ERROR assertion failure
    if (v == 31 && x == 7)
        return -1;                          //~ UNREACHABLE
    return 0;
}
