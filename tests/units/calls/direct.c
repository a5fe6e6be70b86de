// tine-test: fn=direct
// Arguments and results of every width, with their signs.
#include <tine.h>

static signed char byte(signed char c) { return (signed char)(c + 1); }
static unsigned short half(unsigned short h) { return (unsigned short)(h * 3); }
static long wide(long l, char c) { return l ^ c; }
static _Bool odd(unsigned n) { return n & 1; }

int direct(signed char c, unsigned short h, long l) {
    if (byte(c) == -128 && half(h) == 1) {                  //~ COVERED
        if (c != 127)
            return -1;                                      //~ UNREACHABLE
        tine_assert(h != 0xaaab);                           //~ ERROR assertion failure
    }
    if (wide(l, -1) == 0x123456789abcdefL && odd((unsigned)l))
        return -2;                                          //~ UNREACHABLE
    return 0;
}
