// tine-test: fn=pair
// CWE-704: a `_Bool` holds a byte that is neither 0 nor 1.
#include <stdbool.h>
#include <string.h>

int bad(unsigned char byte) {
    bool b;
    memcpy(&b, &byte, 1);
    return b ? 1 : 0; //~ ERROR invalid bool or enum value
}

int good(unsigned char byte) {
    bool b = byte;
    unsigned char back;
    memcpy(&back, &b, 1);
    return back <= 1;
}

int pair(int faulty, unsigned char byte) { return faulty ? bad(byte) : good(byte); }
