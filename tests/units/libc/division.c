// tine-test: fn=division
// Both results are expressions, and a divisor of zero is tried.
#include <stdlib.h>
#include <tine.h>

int division(short a, short b) {
    div_t result = div(a, b);                               //~ ERROR arithmetic trap
    if (result.quot == 12)                                  //~ COVERED
        tine_assert(result.rem != 34 || b != 100);          //~ ERROR assertion failure
    return 0;
}
