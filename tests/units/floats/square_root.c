// tine-test: fn=square_root cflags="-fno-math-errno"
// The root is the machine's instruction; of a negative number it is a NaN.
#include <math.h>
#include <tine.h>

int square_root(float x) {
    float r = sqrtf(x);
    if (r == 1.5f)                          //~ COVERED
        tine_assert(x != 2.25f);            //~ ERROR assertion failure
    if (r < 0.0f)
        return -1;                          //~ UNREACHABLE
    if (r != r && x < 0.0f)                 //~ COVERED
        return 1;
    return 0;
}
