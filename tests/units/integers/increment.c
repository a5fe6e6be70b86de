// tine-test: fn=increment
// ++ and -- on narrow types wrap where they are stored; prefix and postfix differ.
#include <tine.h>

int increment(signed char c, unsigned char u) {
    signed char before = c++;
    if (c < before)                         //~ COVERED
        tine_assert(before != 127);         //~ ERROR assertion failure
    if (--u == 255) {                       //~ COVERED
        if (u-- != 255)
            return -2;                      //~ UNREACHABLE
        return u == 254 ? 1 : -3;
    }
    return 0;
}
