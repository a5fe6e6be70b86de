// tine-test: fn=divide_by_input
// A divisor that is an input itself, kept away from zero.
#include <tine.h>

int divide_by_input(signed char a, signed char b) {
    if (b == 0)                             //~ COVERED
        return 0;
    if (a / b == -14 && a % b == 7)         //~ COVERED
        tine_assert(a != 119);              //~ ERROR assertion failure
    return 1;
}
