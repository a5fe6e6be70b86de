// tine-test: fn=overlapping_words
// Words at any byte: two of them may overlap.
#include <string.h>
#include <tine.h>

int overlapping_words(unsigned i, unsigned j) {
    unsigned char t[12] = {0};
    unsigned a = 0xaabbccddu, b = 0x11223344u, c;
    memcpy(t + (i & 7), &a, sizeof a);
    memcpy(t + (j & 7), &b, sizeof b);
    memcpy(&c, t + (i & 7), sizeof c);
    if (c == 0x3344ccddu)                                       //~ COVERED
        tine_assert((j & 7) != (i & 7) + 2);                    //~ ERROR assertion failure
    if (c == 0xaabbcc11u && (i & 7) >= 3)                       //~ COVERED but 1: it begins after three bytes of the other
        tine_assert((j & 7) + 3 == (i & 7));
    if (c == 0xaabbccddu && (i & 7) == (j & 7))
        return -1;                                              //~ UNREACHABLE
    return 0;
}
