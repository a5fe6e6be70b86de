// tine-test: fn=numbers
// Branches that only the compiler needs: atomic objects, complex numbers, choices of constants.
#include <complex.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic int total;

int numbers(int x) {
    const char *name = x < 0 ? "negative" : "positive";   //~ GCOV choice
    double complex z = x > 10 ? 2.0 : 1.0;   //~ GCOV choice
    z = z * z;
    total *= 3;   //~ GCOV generated
    int expected = 0;
    if (atomic_compare_exchange_strong(&total, &expected, x) && x != 4)
        expected = 1;
    int size = (creal(z) > 3 && name[0] == 'p') + expected;
    return (x == 12 ? 5 : -5) + size;   //~ GCOV choice
}
