// tine-test: fn=bitfields_unsigned
// Neighbours in one word do not disturb each other; values are cut to their width.
#include <tine.h>

struct flags {
    unsigned low : 3;
    unsigned middle : 7;
    unsigned high : 22;
};

int bitfields_unsigned(unsigned x, unsigned y, unsigned z) {
    struct flags f;
    f.low = x & 7u;
    f.middle = y & 0x7fu;
    f.high = z & 0x3fffffu;
    f.middle++;
    if (f.low != (x & 7u))
        return -1;                                          //~ UNREACHABLE
    if (f.middle == 0 && f.low == 5 && f.high == 0x2aaaaa)  //~ COVERED
        tine_assert((y & 0x7fu) != 0x7fu);                  //~ ERROR assertion failure
    return 0;
}
