// tine-test: fn=absolute
// abs of int and long; of the smallest number it overflows.
#include <stdlib.h>
#include <tine.h>

int absolute(int x, long y) {
    if (abs(x) == 77 && x < 0)          //~ COVERED //~ ERROR signed integer overflow
        return 1;
    if (y < -5) {                       //~ COVERED
        if (y > -1000 && labs(y) < 5)
            return -1;                  //~ UNREACHABLE
        if (y > -1000 && labs(y) == 999)        //~ COVERED
            return 2;
    }
    return 0;
}
