// tine-test: fn=fused paths=2
// fma rounds once.
#include <math.h>
#include <tine.h>

int fused(float x) {
    tine_assert(fmaf(x, 2.0f, 1.0f) != 9.0f);       //~ ERROR assertion failure
    return 0;
}
