#include <limits.h>
#include <math.h>

long long llrintf(float x) {
    float whole = rintf(x);
    /* As the machine converts a value that does not fit. */
    return whole >= -0x1p63f && whole < 0x1p63f ? (long long)whole : LLONG_MIN;
}
