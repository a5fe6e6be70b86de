// tine-test: fn=pair
// A divisor that was not set.
#include <stdlib.h>

static int both(int faulty, int k) {
    int *d = malloc(2 * sizeof *d);
    if (!d)
        return -1;
    d[0] = 5;
    if (!faulty)
        d[1] = 3;
    int r = k == 12 ? k / d[1] : 0; //~ ERROR uninitialised read
    free(d);
    return r;
}

int pair(int faulty, int k) { return both(faulty, k); }
