// tine-test: fn=figure1 paths=4
// The program of Figure 1 in the report on LCT as a function: what the program reads are its parameters. The
// sum is computed without sign, so it wraps as in Java.
//
// tine explores it completely: four paths, one error.
#include <tine.h>

void figure1(int x, int second) {
    int y;
    x = (int)((unsigned)x + 5u);

    if (x > 0)                          //~ COVERED
        y = second;
    else
        y = 10;

    if (x > 2)                          //~ COVERED
        tine_assert(y != 2789);         //~ ERROR assertion failure
}
