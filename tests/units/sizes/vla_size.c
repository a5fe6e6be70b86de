// tine-test: fn=vla_size
// A local array of a length that is an input.
#include <tine.h>

int vla_size(unsigned n) {
    tine_assume(n >= 1 && n <= 5);
    int v[n];
    for (unsigned k = 0; k < n; k++)
        v[k] = (int)k;
    if (sizeof v == 16)                         //~ COVERED
        tine_assert(v[n - 1] != 3);             //~ ERROR assertion failure
    tine_assert(v[n - 1] == (int)n - 1);
    return 0;
}
