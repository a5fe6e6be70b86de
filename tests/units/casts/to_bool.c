// tine-test: fn=to_bool
// Conversion to bool asks for zero, it does not truncate.
#include <stdbool.h>
#include <tine.h>

int to_bool(long x, float f) {
    bool b = x;
    if (!b && x != 0)
        return -1;                          //~ UNREACHABLE
    if (b && (int)x == 0)                   //~ COVERED
        tine_assert(x != 0x700000000L);     //~ ERROR assertion failure
    bool fraction = f;
    if (fraction && f < 1.0f && f > 0.0f)   //~ COVERED
        return 1;
    if (!fraction && f != 0.0f)
        return -2;                          //~ UNREACHABLE
    return 0;
}
