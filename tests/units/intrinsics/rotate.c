// tine-test: fn=rotate
// Rotation by constants and by inputs, as builtin and as the idiom.
#include <tine.h>

int rotate(unsigned x, unsigned n, unsigned char b) {
    if (__builtin_rotateleft32(x, 12) == 0xdeadbeefu)           //~ COVERED
        tine_assert(x != 0xeefdeadbu);                          //~ ERROR assertion failure
    if (__builtin_rotateright32(1u, n) == 0x8000u && n < 32u)   //~ COVERED
        return n == 17u ? 1 : -1;
    if (__builtin_rotateleft8(b, 4) != (unsigned char)(b << 4 | b >> 4))
        return -2;                                              //~ UNREACHABLE
    return 0;
}
