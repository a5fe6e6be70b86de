// tine-test: fn=for_loop paths=7
// The number of rounds is an input: one path each, and one for too large.
#include <tine.h>

int for_loop(unsigned n) {
    int sum = 0;
    if (n > 5u)                             //~ COVERED
        return -1;
    for (unsigned i = 0; i < n; i++)        //~ COVERED
        sum += (int)i;
    tine_assert(n != 4u);                   //~ ERROR assertion failure
    return sum;
}
