// tine-test: fn=sign_extend
// A narrow signed value keeps its sign when it widens.
#include <tine.h>

int sign_extend(unsigned x) {
    signed char c = (signed char)x;
    long wide = c;
    if (wide < -128 || wide > 127)
        return -1;                          //~ UNREACHABLE
    if ((unsigned long)wide == 0xffffffffffffffb3UL)        //~ COVERED
        tine_assert((x & 0xffffff00u) != 0x4200u);          //~ ERROR assertion failure
    return 0;
}
