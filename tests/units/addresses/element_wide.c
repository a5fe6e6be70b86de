// tine-test: fn=element_wide
// Elements of sixteen bytes.
#include <tine.h>

int element_wide(unsigned i, unsigned long x) {
    unsigned __int128 t[4] = {1, (unsigned __int128)x << 60, 3, (unsigned __int128)5 << 100};
    unsigned __int128 v = t[i & 3];
    if ((v >> 64) == 0x7654)                //~ COVERED
        tine_assert((x >> 4) != 0x7654);    //~ ERROR assertion failure
    if ((v >> 64) == (unsigned __int128)5 << 36 && (i & 3) == 2)
        return -1;                          //~ UNREACHABLE
    return 0;
}
