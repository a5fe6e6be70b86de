// tine-test: fn=comma
// The comma evaluates all and keeps the last.
#include <tine.h>

int comma(unsigned x) {
    unsigned y, z;
    unsigned last = (y = x + 1, z = y * 2, z + 1);
    tine_assert(last != 0x1235u);           //~ ERROR assertion failure
    for (y = 0, z = 10; y < z; y++, z--)
        last++;
    tine_assert(last == x * 2u + 8u);
    return 0;
}
