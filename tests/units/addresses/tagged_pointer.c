// tine-test: fn=tagged_pointer
// The low bits of a pointer carry a tag.
#include <stdint.h>
#include <tine.h>

int tagged_pointer(unsigned i, unsigned tag) {
    static long a[4] = {100, 200, 300, 400};
    uintptr_t word = (uintptr_t)&a[i & 3] | (tag & 7);
    long v = *(long *)(word & ~(uintptr_t)7);
    if (v == 300 && (word & 7) == 5)                            //~ COVERED
        tine_assert((i & 3) != 2 || (tag & 7) != 5);            //~ ERROR assertion failure
    tine_assert(v == ((i & 3) + 1) * 100L);
    if ((word & 7) != (tag & 7))
        return -1;                                              //~ UNREACHABLE
    return 0;
}
