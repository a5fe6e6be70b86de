#include <math.h>
#include <string.h>

#include "exponent.h"

float frexpf(float x, int *exponent) {
    *exponent = 0;
    if (x == 0 || x != x || x == __builtin_inff() || x == -__builtin_inff())
        return x;
    if (__builtin_fabsf(x) < 0x1p-126f) {
        x *= 0x1p64f;
        *exponent = -64;
    }
    struct partsf parts = splitf(x);
    *exponent += parts.exponent + 1;
    return joinf(parts, -1);
}
