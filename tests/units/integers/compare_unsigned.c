// tine-test: fn=compare_unsigned
// The same comparison with and without sign, and the trap of mixing both.
#include <tine.h>

int compare_unsigned(int s, unsigned u) {
    if ((unsigned)s > u && s < (int)u) {                //~ COVERED
        if (s >= 0 && (int)u >= 0)                      // one of them has the top bit
            return -1;                                  //~ UNREACHABLE
        tine_assert((unsigned)s != 0x80000001u || u != 0x7fffffffu);    //~ ERROR assertion failure
    }
    return 0;
}
