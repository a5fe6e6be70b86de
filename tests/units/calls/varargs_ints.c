// tine-test: fn=varargs_ints
// Variable arguments in registers, of several integer types.
#include <stdarg.h>
#include <tine.h>

static long total(int n, ...) {
    va_list list;
    long sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return sum;
}

int varargs_ints(int x, short y) {
    if (x < -1000 || x > 1000)              //~ COVERED
        return 0;
    long sum = total(3, x, (long)y * 100000, -5);
    if (sum == 1299900495L)                 //~ COVERED
        tine_assert(y != 12999);            //~ ERROR assertion failure
    return 0;
}
