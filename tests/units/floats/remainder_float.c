// tine-test: fn=remainder_float cflags="-fno-math-errno"
// C's remainder has the sign of the dividend and is exact.
#include <tine.h>

int remainder_float(float x) {
    tine_assume(x > -24 && x < -20);
    float r = __builtin_fmodf(x, 3.5f);
    if (r > 0)
        return -1;                          //~ UNREACHABLE
    tine_assert(r != -1.25f);               //~ ERROR assertion failure
    return 0;
}
