// tine-test: fn=pair
// CWE-126: both arrays have the same length in elements, but not in bytes.
#include <string.h>

static short from[6] = {1, 2, 3, 4, 5, 6};
static int to[6];

int bad(int k) {
    memcpy(to, from, k == 8 ? sizeof to : sizeof from); //~ ERROR out-of-bounds read
    return to[0];
}

int good(int k) {
    memcpy(to, from, k == 8 ? sizeof from : 0);
    return to[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
