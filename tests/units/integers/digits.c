// tine-test: fn=digits
// Division and remainder by constants, chained.
#include <tine.h>

int digits(unsigned short n) {
    int sum = n % 10 + n / 10 % 10 + n / 100 % 10 + n / 1000 % 10 + n / 10000;
    if (sum == 41)                          //~ COVERED
        tine_assert(n != 59999);            //~ ERROR assertion failure
    if (sum > 41)
        return -1;                          //~ UNREACHABLE
    return 0;
}
