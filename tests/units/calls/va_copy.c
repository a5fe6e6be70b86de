// tine-test: fn=va_copy_twice
// A copy of the list starts again where the list was.
#include <stdarg.h>
#include <tine.h>

static int twice(int n, ...) {
    va_list list, again;
    va_start(list, n);
    int first = va_arg(list, int);
    va_copy(again, list);
    int second = va_arg(list, int);
    int repeated = va_arg(again, int);
    va_end(again);
    va_end(list);
    if (second != repeated)
        return -1;                          //~ UNREACHABLE
    return first == 3 && repeated == 14;
}

int va_copy_twice(int x, int y) {
    if (twice(2, x, y))                     //~ COVERED
        tine_assert(y != 14);               //~ ERROR assertion failure
    return 0;
}
