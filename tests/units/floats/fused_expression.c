// tine-test: fn=fused_expression paths=2
// clang may fuse a * b + c where the machine can; this one cannot, so both steps round.
#include <tine.h>

int fused_expression(float x) {
    tine_assert(x * 3.0f + 1.0f != 31.0f);      //~ ERROR assertion failure
    return 0;
}
