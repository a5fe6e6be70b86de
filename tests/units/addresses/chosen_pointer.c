// tine-test: fn=chosen_pointer
// `c ? &x : &y`: one of two variables.
#include <tine.h>

int chosen_pointer(int c, int d) {
    int x = 1, y = 2;
    int *p = c > 10 ? &x : &y;
    int *q = d > 10 ? &x : &y;
    *p = 5;
    *q += 10;
    if (x == 15)                            //~ COVERED
        tine_assert(c <= 10 || d <= 10);    //~ ERROR assertion failure
    tine_assert(x + y == 16 + (c > 10));
    if (x == 11 && y != 5)
        return -1;                          //~ UNREACHABLE
    return 0;
}
