// tine-test: fn=memset_at_address
// Three bytes are filled, at a place that an input chooses.
#include <string.h>
#include <tine.h>

int memset_at_address(unsigned i, unsigned char c) {
    unsigned char a[10] = {0};
    memset(a + (i & 7), c, 3);
    if (a[4] == 66 && a[5] == 0)                                //~ COVERED
        tine_assert((i & 7) != 2 || c != 66);                   //~ ERROR assertion failure
    if (a[4] && a[6] && !a[5])
        return -1;                                              //~ UNREACHABLE
    return 0;
}
