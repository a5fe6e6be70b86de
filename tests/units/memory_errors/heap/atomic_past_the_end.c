// tine-test: fn=pair verdict=incomplete
// CWE-787: an atomic operation on the element after the last.
#include <stdatomic.h>
#include <stdlib.h>

int bad(unsigned k) {
    atomic_int *counters = calloc(4, sizeof *counters);
    if (!counters)
        return 0;
    if (k <= 4)
        atomic_fetch_add(&counters[k], 1); //~ ERROR out-of-bounds write
    free(counters);
    return 0;
}

int good(unsigned k) {
    atomic_int *counters = calloc(4, sizeof *counters);
    if (!counters)
        return 0;
    if (k < 4)
        atomic_fetch_add(&counters[k], 1);
    free(counters);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
