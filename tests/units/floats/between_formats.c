// tine-test: fn=between_formats
// float to double is exact; double to float rounds.
#include <tine.h>

int between_formats(float f, double d) {
    if ((float)(double)f != f && f == f)
        return -1;                                      //~ UNREACHABLE
    if ((float)d == 0.1f && (double)(float)d != d)      //~ COVERED
        tine_assert(d != 0.1);                          //~ ERROR assertion failure
    double odd = 16777217.0;                            // needs 25 bits: no float has this value
    if (f == odd)
        return -2;                                      //~ UNREACHABLE
    return 0;
}
