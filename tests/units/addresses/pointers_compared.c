// tine-test: fn=pointers_compared
// Pointers into one array, in order.
#include <tine.h>

int pointers_compared(unsigned i, unsigned j) {
    static int a[8];
    int *p = a + (i & 7), *q = a + (j & 7);
    if (p < q && p + 1 == q && q == &a[7])                      //~ COVERED
        tine_assert((i & 7) != 6);                              //~ ERROR assertion failure
    if (p < q && (i & 7) >= (j & 7))
        return -1;                                              //~ UNREACHABLE
    if (p >= q && q > p)
        return -2;                                              //~ UNREACHABLE
    return 0;
}
