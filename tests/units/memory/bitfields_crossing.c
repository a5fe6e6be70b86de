// tine-test: fn=bitfields_crossing
// Packed fields that lie across bytes and words, and a 64-bit one.
#include <tine.h>

struct __attribute__((packed)) mix {
    unsigned char a : 3;
    unsigned b : 17;
    unsigned long c : 41;
    signed short d : 3;
};

_Static_assert(sizeof(struct mix) == 8, "64 bits in all");

int bitfields_crossing(unsigned x, unsigned long y) {
    struct mix m;
    m.a = 5;
    m.b = x & 0x1ffffu;
    m.c = y & 0x1ffffffffffUL;
    m.d = -2;
    if (m.a != 5 || m.d != -2)
        return -1;                                          //~ UNREACHABLE
    if (m.b == 0x15555u && m.c == 0x123456789abUL)          //~ COVERED
        tine_assert(x != 0xffff5555u);                      //~ ERROR assertion failure
    return 0;
}
