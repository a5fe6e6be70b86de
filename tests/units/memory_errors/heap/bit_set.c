// tine-test: fn=pair
// CWE-122: the last bits of a set need one more byte when their number is not a multiple of eight.
#include <stdlib.h>

int bad(unsigned bits) {
    if (bits == 0 || bits > 20)
        return 0;
    unsigned char *set = calloc(bits / 8 + (bits < 8), 1);
    unsigned last = bits - 1;
    set[last / 8] |= 1u << last % 8; //~ ERROR out-of-bounds read
    free(set);
    return 0;
}

int good(unsigned bits) {
    if (bits == 0 || bits > 20)
        return 0;
    unsigned char *set = calloc((bits + 7) / 8, 1);
    unsigned last = bits - 1;
    set[last / 8] |= 1u << last % 8;
    free(set);
    return 0;
}

int pair(int faulty, unsigned bits) { return faulty ? bad(bits) : good(bits); }
