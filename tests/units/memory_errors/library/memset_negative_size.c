// tine-test: fn=pair
// CWE-195: a length that may be negative.
#include <string.h>

int bad(unsigned k) {
    char buffer[32];
    int n = (int)(k % 40) - 1;
    if (n > 32)
        return 0;
    memset(buffer, 0, (size_t)n); //~ ERROR out-of-bounds write
    return buffer[0];
}

int good(unsigned k) {
    char buffer[32] = "";
    int n = (int)(k % 40) - 1;
    if (n < 0 || n > 32)
        return 0;
    memset(buffer, 0, (size_t)n);
    return buffer[0];
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
