// tine-test: fn=restrict_pointers
// Promises about pointers change nothing for a program that keeps them.
#include <tine.h>

static void add(int n, unsigned *restrict to, const unsigned *restrict from) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

int restrict_pointers(unsigned x, unsigned y) {
    unsigned a[3] = {x, 1, y}, b[3] = {10, 20, x};
    add(3, a, b);
    add(2, b, a + 1);
    if (a[0] == 15u && b[1] == 27u)         //~ COVERED
        tine_assert(y != 2u);               //~ ERROR assertion failure
    return 0;
}
