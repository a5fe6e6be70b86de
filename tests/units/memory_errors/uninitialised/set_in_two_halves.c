// tine-test: fn=pair
// CWE-457: a number is set byte by byte. The last byte is forgotten for one input.
#include <stdint.h>

static uint32_t join(const unsigned char *from, unsigned n) {
    uint32_t x;
    unsigned char *to = (unsigned char *)&x;
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
    return x;
}

int bad(unsigned char c) {
    unsigned char data[4] = {c, 1, 2, 3};
    if (join(data, c == 9 ? 3 : 4) == 0x03020109) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(unsigned char c) {
    unsigned char data[4] = {c, 1, 2, 3};
    if (join(data, 4) == 0x03020109)
        return 1;
    return 0;
}

int pair(int faulty, unsigned char c) { return faulty ? bad(c) : good(c); }
