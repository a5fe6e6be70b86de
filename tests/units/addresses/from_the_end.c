// tine-test: fn=from_the_end
// Backwards from the end of an array.
#include <tine.h>

int from_the_end(unsigned i) {
    int before[4] = {0}, a[4] = {1, 2, 3, 4}, after[4] = {0};
    int *end = a + 4;
    int v = end[-1 - (int)(i & 3)];
    if (v == 2)                                                         //~ COVERED
        tine_assert((i & 3) != 2);                                      //~ ERROR assertion failure
    tine_assert(v == 4 - (int)(i & 3));
    return before[0] + after[0];
}
