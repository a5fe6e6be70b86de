// tine-test: fn=pair
// Copies carry the state of each byte: only the use is an error.
#include <string.h>

static int sum(const unsigned char *bytes, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += bytes[i];
    return s;
}

static int copy(int k, int n) {
    unsigned char from[8], to[8];
    memset(from, k & 1, 6);
    memcpy(to, from, sizeof to);
    if (k == 9 && sum(to, n) == 0) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int pair(int faulty, int k) { return copy(k, faulty ? 8 : 6); }
