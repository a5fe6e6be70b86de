// tine-test: fn=wave verdict=incomplete reason="not instrumented"
// The sine is not followed, so no query leads to the error. Other first values do.
#include <math.h>
#include <tine.h>

int wave(double x) {
    tine_assert(!(sin(x) < -0.5));              //~ ERROR assertion failure
    return 0;
}
