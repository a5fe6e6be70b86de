// tine-test: fn=chain
// Down, up with one sign, down, up with the other.
#include <tine.h>

int chain(int x) {
    int y = (int)(unsigned short)(short)(signed char)x;
    if (y == 0xff85) {                      //~ COVERED
        tine_assert((x >> 8) != 0x1234);    //~ ERROR assertion failure
        return 1;
    }
    if (y > 127 && y < 0xff80)
        return -1;                          //~ UNREACHABLE
    return 0;
}
