// tine-test: fn=generated branches=4
// Updates of atomic objects, complex numbers, variadic arguments and classes of floats are not branches of the source.
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>

static _Atomic double mean;
static _Atomic int total;

static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int) + (int)va_arg(list, double);
    va_end(list);
    return value;
}

int generated(int x) {
    mean += 1;
    total *= 3;
    int expected = 1;
    atomic_compare_exchange_strong(&total, &expected, 4);
    double complex z = 2.0;
    z = z * z;
    int kind = __builtin_fpclassify(1, 2, 3, 4, 5, creal(z));
    if (x == first(2, 3, 4.0) && kind == 3)     //~ COVERED but 1: it is a normal number
        return 1;
    return 0;
}
