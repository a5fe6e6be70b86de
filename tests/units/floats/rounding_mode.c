// tine-test: fn=rounded_up verdict=incomplete reason="executed only concretely"
// Under another rounding mode floats are executed concretely, and the verdict reports it.
#include <fenv.h>

int rounded_up(float x) {
    fesetround(FE_UPWARD);
    float y = x + 1e-10f;
    return x == 1.0f && y > 1.0f;
}
