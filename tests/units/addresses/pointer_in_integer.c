// tine-test: fn=pointer_in_integer
// A pointer goes through an integer, in memory, and comes back.
#include <stdint.h>
#include <tine.h>

int pointer_in_integer(unsigned i) {
    static short a[4] = {7, 8, 9, 10};
    uintptr_t slots[2] = {0, 0};
    slots[i & 1] = (uintptr_t)&a[i & 3];
    short *p = (short *)slots[i & 1];
    if (*p == 10)                                               //~ COVERED
        tine_assert((i & 3) != 3);                              //~ ERROR assertion failure
    tine_assert(slots[!(i & 1)] == 0);
    tine_assert(*p == (short)((i & 3) + 7));
    return 0;
}
