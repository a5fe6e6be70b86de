// tine-test: fn=pair verdict=bounded
// CWE-126: a copy as long as the destination reads past the source.
#include <stdlib.h>
#include <string.h>

int bad(unsigned char n) {
    if (n < 1 || n > 16)
        return 0;
    char *from = calloc(n, 1), to[16];
    memcpy(to, from, n < 12 ? n : sizeof to + 0u); //~ ERROR out-of-bounds read
    int r = to[0];
    free(from);
    return r;
}

int good(unsigned char n) {
    if (n < 1 || n > 16)
        return 0;
    char *from = calloc(n, 1), to[16];
    memcpy(to, from, n < sizeof to ? n : sizeof to);
    int r = to[n - 1];
    free(from);
    return r;
}

int pair(int faulty, unsigned char n) { return faulty ? bad(n) : good(n); }
