#include <errno.h>
#include <math.h>

double fdim(double x, double y) {
    if (x <= y)
        return 0;
    double difference = x - y;
    if (difference == __builtin_inf() && x != __builtin_inf() && y != -__builtin_inf())
        errno = ERANGE;
    return difference;
}
