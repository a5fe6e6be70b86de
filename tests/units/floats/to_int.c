// tine-test: fn=to_int
// Conversion to integers cuts the fraction off, toward zero.
#include <tine.h>

int to_int(float f, double d) {
    if (!(f > -1000.0f && f < 1000.0f))             //~ COVERED
        return 0;
    int i = (int)f;
    if (i == -7 && f != -7.0f) {                    //~ COVERED
        if (f > -7.0f)
            return -1;                              //~ UNREACHABLE
        tine_assert(f != -7.25f);                   //~ ERROR assertion failure
    }
    if (!(d >= 0.0 && d < 256.0))                   //~ COVERED
        return 1;
    unsigned char byte = (unsigned char)d;
    if (byte == 255 && d != 255.0)                  //~ COVERED
        return 2;
    if ((long)d > 255)
        return -2;                                  //~ UNREACHABLE
    return 3;
}
