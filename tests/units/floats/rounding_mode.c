// tine-test: fn=rounded_up verdict=incomplete reason="only followed concretely"
// Under another rounding mode floats are followed concretely, and that is said.
#include <fenv.h>

int rounded_up(float x) {
    fesetround(FE_UPWARD);
    float y = x + 1e-10f;
    return x == 1.0f && y > 1.0f;
}
