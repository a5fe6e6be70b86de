// tine-test: fn=union_pun
// The bits of an integer, looked at as a float.
#include <tine.h>

int union_pun(unsigned x) {
    union {
        unsigned bits;
        float real;
    } u;
    u.bits = x;
    if (u.real == 1.5f)                     //~ COVERED
        tine_assert(x != 0x3fc00000u);      //~ ERROR assertion failure
    if (u.real > 0.0f && x > 0x7f800000u)   // that would be a NaN
        return -2;                          //~ UNREACHABLE
    return 0;
}
