#include <math.h>
#include <string.h>

#include "exponent.h"

double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0 || x != x || x == __builtin_inf() || x == -__builtin_inf())
        return x;
    if (__builtin_fabs(x) < 0x1p-1022) {
        x *= 0x1p64;
        *exponent = -64;
    }
    struct parts parts = split(x);
    *exponent += parts.exponent + 1;
    return join(parts, -1);
}
