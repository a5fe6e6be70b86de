// tine-test: program paths=5
// The program of Figure 1 in the report on LCT: the error needs x > 2 after the addition, which makes the
// second input be asked for at all, and then y == 2789. Random inputs practically never get there.
//
// tine explores it completely: five paths, the error, and (in Java the sum wraps, in C it must not) the overflow.
#include <tine.h>

extern void reach_error(void);

int main(void) {
    int x = tine_int("x");
    int y;
    x = x + 5;                  //~ ERROR signed integer overflow

    if (x > 0)                  //~ COVERED
        y = tine_int("y");
    else
        y = 10;

    if (x > 2)                  //~ COVERED
        if (y == 2789)
            reach_error();      //~ ERROR reach_error
    return 0;
}
