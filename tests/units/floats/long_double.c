// tine-test: fn=long_double verdict=incomplete
// 80-bit arithmetic is done by the machine alone: values keep, expressions end.
#include <tine.h>

int long_double(int x) {
    long double wide = x;
    wide *= 3.0L;
    if (wide > 7.0e9L || wide < -7.0e9L)
        return -1;                          //~ UNREACHABLE
    if (x == 5)                             //~ COVERED
        return 1;
    return 0;
}
