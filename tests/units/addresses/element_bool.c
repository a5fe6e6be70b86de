// tine-test: fn=element_bool
// A set as a table of truth values.
#include <stdbool.h>
#include <tine.h>

int element_bool(unsigned char c) {
    bool seen[32] = {false};
    seen[7] = true;
    seen[c & 31] = true;
    int n = 0;
    for (int k = 0; k < 32; k++)
        n += seen[k];
    if (n == 1)                             //~ COVERED
        tine_assert((c & 31) != 7);         //~ ERROR assertion failure
    tine_assert(n == 1 || n == 2);
    return n;
}
