// tine-test: fn=pointer_integer
// Pointers are numbers: casts, steps and differences keep the expression.
#include <stdint.h>
#include <tine.h>

int pointer_integer(uintptr_t x) {
    if (x > 0x7fffffffUL || x < 0x1000)     // stay where stepping cannot wrap
        return 0;
    int *p = (int *)x;
    int *q = p + 4;
    if ((uintptr_t)q == 0xcafe10UL)         //~ COVERED
        tine_assert(p != (int *)0xcafe00UL);        //~ ERROR assertion failure
    if (q - p != 4)
        return -1;                          //~ UNREACHABLE
    if (((uintptr_t)p & 3) == 2)            //~ COVERED
        return 2;
    return 1;
}
