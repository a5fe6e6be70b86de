#include <errno.h>
#include <math.h>

float fdimf(float x, float y) {
    if (x <= y)
        return 0;
    float difference = x - y;
    if (difference == __builtin_inff() && x != __builtin_inff() && y != -__builtin_inff())
        errno = ERANGE;
    return difference;
}
