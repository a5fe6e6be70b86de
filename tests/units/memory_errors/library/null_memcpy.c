// tine-test: fn=pair
// CWE-476: a copy from a null pointer.
#include <stdlib.h>
#include <string.h>

static int copy(char *to, const char *from, size_t n) {
    if (from || n)
        memcpy(to, from, n); //~ ERROR null passed where non-null is required
    return to[0];
}

int bad(unsigned n) {
    char to[4] = "";
    return copy(to, NULL, n & 3);
}

int good(unsigned n) {
    char to[4] = "";
    return copy(to, n & 3 ? "abc" : NULL, n & 3);
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
