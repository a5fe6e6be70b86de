// tine-test: fn=divide_signed
// Signed division rounds toward zero and the remainder has the sign of the dividend.
#include <tine.h>

int divide_signed(int x) {
    int q = x / 7;
    int r = x % 7;
    if (x > 0 && r < 0)                     // the second half is never true
        return -1;                          //~ UNREACHABLE
    if (q == -3 && r == -5)                 //~ COVERED
        tine_assert(x != -26);              //~ ERROR assertion failure
    return 0;
}
