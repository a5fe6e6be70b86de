// tine-test: fn=switch_fallthrough
// Falling from case to case; two labels on one statement are one way.
#include <tine.h>

int switch_fallthrough(int x) {
    int sum = 0;
    switch (x) {                        //~ COVERED
    case 1:
        sum += 1;
        __attribute__((fallthrough));
    case 2:
    case 22:
        sum += 10;
        __attribute__((fallthrough));
    case 3:
        sum += 100;
        break;
    default:
        sum = 7;
    }
    if (x == 1)
        tine_assert(sum == 111);
    if (x == 22 && sum != 110)
        return -1;                      //~ UNREACHABLE
    return sum;
}
