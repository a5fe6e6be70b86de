// tine-test: fn=bits
// The bits of a float that is an input.
#include <string.h>
#include <tine.h>

int bits(float f, double d) {
    unsigned u;
    unsigned long w;
    memcpy(&u, &f, sizeof u);
    memcpy(&w, &d, sizeof w);
    if (u == 0x40490fdbu)                               //~ COVERED
        tine_assert(f < 3.14159f || f > 3.14160f);      //~ ERROR assertion failure
    if (w >> 52 == 0x400 && (w & 0xfffffffffffffUL) == 0)       //~ COVERED
        return d == 2.0 ? 1 : -1;
    return 0;
}
