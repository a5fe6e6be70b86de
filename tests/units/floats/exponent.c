// tine-test: fn=exponent
// A float is taken apart and put together.
#include <math.h>
#include <tine.h>

int exponent(float x) {
    int power;
    float digits = frexpf(x, &power);
    if (digits == 0.625f && power == 5)         //~ COVERED
        tine_assert(x == 20);
    tine_assert(!(fdimf(x, 3) == 1.5f));        //~ ERROR assertion failure
    return 0;
}
