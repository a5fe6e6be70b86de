// tine-test: fn=expect
// Hints for the optimiser change nothing.
#include <tine.h>

int expect(int x, int y) {
    if (__builtin_expect(x == 19, 0))                   //~ COVERED
        tine_assert(!__builtin_expect(y == 91, 1));     //~ ERROR assertion failure
    if (__builtin_constant_p(x))
        return -1;                                      //~ UNREACHABLE
    if (__builtin_expect_with_probability(y > 1000, 1, 0.9))    //~ COVERED
        return 1;
    return 0;
}
