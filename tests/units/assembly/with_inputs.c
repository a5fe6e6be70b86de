// tine-test: fn=with_inputs verdict=incomplete reason="assembly"
// An input goes through assembly: the result is right, but only a number.
#include <tine.h>

int with_inputs(unsigned x) {
    unsigned y = x;
    __asm__("addl $1, %0" : "+r"(y) : : "cc");
    if (x == 100u)                          //~ COVERED
        tine_assert(y == 101u);
    return 0;
}
