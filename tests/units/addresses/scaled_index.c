// tine-test: fn=scaled_index
// One index is twice the other: they meet at zero only.
#include <tine.h>

int scaled_index(unsigned i) {
    char a[16] = {0};
    i &= 7;
    a[i] = 1;
    a[i * 2] += 1;
    if (a[0] == 2)                                                      //~ COVERED
        tine_assert(i != 0);                                            //~ ERROR assertion failure
    if (a[4] == 2)
        return -1;                                                      //~ UNREACHABLE
    return 0;
}
