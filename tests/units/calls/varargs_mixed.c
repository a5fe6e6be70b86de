// tine-test: fn=varargs_mixed
// Integers, doubles and pointers in one list, distinguished by a format.
#include <stdarg.h>
#include <tine.h>

static long collect(const char *format, ...) {
    va_list list;
    long sum = 0;
    va_start(list, format);
    for (; *format; format++)
        switch (*format) {
        case 'i':
            sum += va_arg(list, int);
            break;
        case 'd':
            sum += va_arg(list, double) > 0.5;
            break;
        case 'p':
            sum += *va_arg(list, short *);
            break;
        }
    va_end(list);
    return sum;
}

int varargs_mixed(short x, double d, short y) {
    long sum = collect("idpi", x, d, &y, 1000);
    if (sum == 1501 && y == 100)            //~ COVERED
        tine_assert(x != 400);              //~ ERROR assertion failure
    return 0;
}
