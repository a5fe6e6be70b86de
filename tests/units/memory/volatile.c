// tine-test: fn=volatile_values paths=3
// Every access of a volatile happens, and carries its expression.
#include <tine.h>

volatile int cell;

int volatile_values(int x) {
    volatile short narrow = (short)x;
    cell = x;
    if (cell == 0x12345)                    //~ COVERED
        tine_assert(narrow != 0x2345);      //~ ERROR assertion failure
    if (narrow == -2)                       //~ COVERED
        return 1;
    return 0;
}
