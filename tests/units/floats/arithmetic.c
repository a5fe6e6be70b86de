// tine-test: fn=arithmetic
// The four operations on float, rounded at every step.
#include <tine.h>

int arithmetic(float x, float y) {
    float line = x * 0.5f;
    line = line + 1.25f;
    if (line == 3.0f)                       //~ COVERED
        tine_assert(x != 3.5f);             //~ ERROR assertion failure
    float quotient = (y - 0.75f) / 4.0f;
    if (quotient == 2.0f)                   //~ COVERED
        return -y == -8.75f ? 1 : 2;
    return 0;
}
