// tine-test: fn=overflow_mixed
// Operands and result of three different types: the check is in exact arithmetic.
#include <tine.h>

int overflow_mixed(int a, unsigned b) {
    signed char narrow;
    unsigned result;
    if (!__builtin_add_overflow(a, b, &narrow)) {           //~ COVERED
        if ((long)a + (long)b != narrow)
            return -1;                                      //~ UNREACHABLE
        tine_assert(narrow != -100 || b != 0x70000000u);    //~ ERROR assertion failure
    }
    if (!__builtin_sub_overflow(a, b, &result) && a < 0)
        return -2;                                          //~ UNREACHABLE
    return 0;
}
