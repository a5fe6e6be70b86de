// tine-test: fn=pair
// CWE-457: a length that was never set decides how much is copied.
#include <string.h>

static void length_of(int k, unsigned *n) {
    if (k > 3)
        *n = 4;
}

int bad(int k) {
    char to[256] = "", from[256] = "";
    unsigned n;
    length_of(k, &n);
    memcpy(to, from, n & 255); //~ ERROR uninitialised read
    return to[0];
}

int good(int k) {
    char to[256] = "", from[256] = "";
    unsigned n = 0;
    length_of(k, &n);
    memcpy(to, from, n & 255);
    return to[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
