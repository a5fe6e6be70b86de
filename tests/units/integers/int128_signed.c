// tine-test: fn=int128_signed
// Signed 128 bits: comparison, shift and division see one sign.
#include <tine.h>

int int128_signed(long high, unsigned long low) {
    __int128 v = (__int128)((unsigned __int128)(unsigned long)high << 64 | low);
    if (v < 0 && high >= 0)
        return -1;                                      //~ UNREACHABLE
    if (v >> 100 == -3 && low == 5) {                   //~ COVERED
        if ((v & 0xff) != 5)
            return -2;                                  //~ UNREACHABLE
        tine_assert((high & 0xffffffff) != 0x12345678); //~ ERROR assertion failure
    }
    return 0;
}
