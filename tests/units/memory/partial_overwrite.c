// tine-test: fn=partial_overwrite
// A value whose middle is written over, by a constant and by another input.
#include <tine.h>

int partial_overwrite(unsigned x, unsigned char y) {
    union {
        unsigned word;
        unsigned char byte[4];
    } u;
    u.word = x;
    u.byte[1] = 0x5a;
    u.byte[2] = y;
    if ((u.word & 0xff00u) != 0x5a00u)
        return -1;                          //~ UNREACHABLE
    if (u.word == 0xaabb5accu) {            //~ COVERED
        if (y != 0xbb)
            return -2;                      //~ UNREACHABLE
        tine_assert(x != 0xaa1234ccu);      //~ ERROR assertion failure
    }
    return 0;
}
