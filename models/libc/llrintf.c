#include <limits.h>
#include <math.h>

long long llrintf(float x) {
    float whole = rintf(x);
    /* The machine's result for a value that does not fit. */
    return whole >= -0x1p63f && whole < 0x1p63f ? (long long)whole : LLONG_MIN;
}
