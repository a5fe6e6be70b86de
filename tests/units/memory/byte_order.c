// tine-test: program
// A header put together from bytes, big-endian.
#include <tine.h>

int main(void) {
    unsigned char header[6];
    tine_symbolic(header, sizeof header, "header");
    unsigned magic = (unsigned)header[0] << 24 | (unsigned)header[1] << 16 | (unsigned)header[2] << 8 | header[3];
    unsigned length = (unsigned)header[4] << 8 | header[5];
    if (magic != 0x54494e45u)               //~ COVERED
        return 1;
    if (length > 1500u)                     //~ COVERED
        return 2;
    if (header[0] != 'T')
        return 3;                           //~ UNREACHABLE
    tine_assert(length != 1234u);           //~ ERROR assertion failure
    return 0;
}
