// tine-test: fn=xor_chosen
// One of two pointers, chosen by arithmetic.
#include <stdint.h>
#include <tine.h>

int xor_chosen(unsigned c) {
    static int x = 3, y = 4;
    uintptr_t both = (uintptr_t)&x ^ (uintptr_t)&y;
    int *p = (int *)((uintptr_t)&x ^ (both & -(uintptr_t)(c & 1)));
    if (*p == 4)                                                //~ COVERED
        tine_assert((c & 1) == 0);                              //~ ERROR assertion failure
    tine_assert(*p == 3 + (int)(c & 1));
    return 0;
}
