// tine-test: fn=pair
// CWE-617: an input reaches an assertion.
#include <assert.h>

int bad(int x) {
    assert(x * 3u != 3000000123u); //~ ERROR assertion failure
    return x;
}

int good(int x) {
    assert(x * 3u != 3000000123u || (unsigned)x % 2 == 1); /* holds for all that solve it */
    return x;
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
