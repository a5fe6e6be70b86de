// tine-test: fn=break_continue
// Leaving and skipping inside nested loops with fixed bounds.
#include <tine.h>

int break_continue(unsigned char x) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (x == i)                         //~ COVERED
            continue;
        for (int j = 0; j < 3; j++) {
            if (x == 10 + i + j)            //~ COVERED
                break;
            count++;
        }
    }
    if (x == 1)                             //~ COVERED
        tine_assert(count == 9);            //~ ERROR assertion failure
    if (x == 12 && count != 3)
        return -1;                          //~ UNREACHABLE
    return count;
}
