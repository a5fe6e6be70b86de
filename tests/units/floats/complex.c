// tine-test: fn=conjugate
// Complex numbers are two floats.
#include <complex.h>
#include <tine.h>

int conjugate(signed char a, signed char b) {
    if (a < -9 || a > 9 || b < -9 || b > 9)     //~ COVERED
        return 0;
    double complex z = a + b * I;
    z = z + conj(z);
    if (creal(z) == 14.0)                       //~ COVERED
        tine_assert(a != 7);                    //~ ERROR assertion failure
    if (creal(z) == 13.0)
        return 1;                               //~ UNREACHABLE
    return 0;
}
