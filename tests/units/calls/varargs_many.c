// tine-test: fn=varargs_many
// More variable arguments than registers of either kind.
#include <stdarg.h>
#include <tine.h>

static int pick(int which, ...) {
    va_list list;
    int value = 0;
    va_start(list, which);
    for (int i = 0; i <= which; i++) {
        value = va_arg(list, int);
        if (va_arg(list, double) != (double)i)
            return -1;                      //~ UNREACHABLE
    }
    va_end(list);
    return value;
}

int varargs_many(int x, int y) {
    int a = pick(9, 0, 0.0, 1, 1.0, 2, 2.0, x, 3.0, 4, 4.0, 5, 5.0, 6, 6.0, 7, 7.0, 8, 8.0, y, 9.0);
    int b = pick(3, 0, 0.0, 1, 1.0, 2, 2.0, x, 3.0, 4, 4.0);
    if (a == 90 && b == 30)                 //~ COVERED
        tine_assert(x != 30 || y != 90);    //~ ERROR assertion failure
    return 0;
}
