// tine-test: fn=bitfields_signed
// A signed field of n bits reads back with its sign.
#include <tine.h>

struct delta {
    signed int dx : 5;
    signed int dy : 11;
    _Bool set : 1;
};

int bitfields_signed(int x, int y, int flag) {
    struct delta d = {0};
    d.dx = x;
    d.dy = y;
    d.set = flag != 0;
    if (d.dx > 15 || d.dx < -16)
        return -1;                                      //~ UNREACHABLE
    if (d.dx == -16 && d.dy == -1 && d.set)             //~ COVERED
        tine_assert(x != 0x70 || y != 0x7ff);           //~ ERROR assertion failure
    return 0;
}
