// tine-test: fn=varargs_doubles
// Floating arguments travel in vector registers; a float arrives as a double.
#include <stdarg.h>
#include <tine.h>

static double last(int n, ...) {
    va_list list;
    double value = 0;
    va_start(list, n);
    while (n-- > 0)
        value = va_arg(list, double);
    va_end(list);
    return value;
}

int varargs_doubles(float f, double d) {
    if (last(2, d, f) == 0.25)              //~ COVERED
        tine_assert(f != 0.25f);            //~ ERROR assertion failure
    if (last(3, f, 1.0, d) == -8.5)         //~ COVERED
        return 1;
    return 0;
}
