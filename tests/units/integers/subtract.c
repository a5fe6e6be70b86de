// tine-test: fn=subtract paths=4
// Subtraction has an order, and wraps below zero.
#include <tine.h>

int subtract(unsigned x, unsigned y) {
    if (x - y == 1000u) {                   //~ COVERED
        if (y - x == 1000u)
            return -1;                      //~ UNREACHABLE
        if (x < y) {                        //~ COVERED
            tine_assert(y != 0xffffffffu);  //~ ERROR assertion failure
            return 2;
        }
        return 1;
    }
    return 0;
}
