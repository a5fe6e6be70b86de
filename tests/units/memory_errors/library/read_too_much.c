// tine-test: fn=pair verdict=incomplete
// CWE-805: more bytes are read than the buffer has.
#include <unistd.h>

int bad(unsigned k) {
    char buffer[16];
    if (k > 20)
        return 0;
    return read(0, buffer, k) > 20; //~ ERROR out-of-bounds write
}

int good(unsigned k) {
    char buffer[16];
    if (k > sizeof buffer)
        return 0;
    return read(0, buffer, k) > 20;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
