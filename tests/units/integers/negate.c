// tine-test: fn=negate paths=5
// Minus, complement and logical not.
#include <tine.h>

int negate(unsigned x) {
    if (-x == 0xfffffff0u)                  //~ COVERED
        tine_assert(!x);                    //~ ERROR assertion failure
    if (~x == 0xffu)                        //~ COVERED
        return 1;
    if (-x == x) {                          //~ COVERED
        if (x != 0 && x != 0x80000000u)     // both are their own negation
            return -2;                      //~ UNREACHABLE
        return 2;
    }
    return 0;
}
