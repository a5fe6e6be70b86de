// tine-test: fn=va_list_passed_on
// The list goes to another function, which reads on from it.
#include <stdarg.h>
#include <tine.h>

static int vread(va_list list) {
    int a = va_arg(list, int);
    return a ^ va_arg(list, int);
}

static int forward(int n, ...) {
    va_list list;
    va_start(list, n);
    int r = vread(list);
    va_end(list);
    return r;
}

int va_list_passed_on(int x) {
    tine_assert(forward(2, x, 0x0f0f) != 0x1234);       //~ ERROR assertion failure
    return 0;
}
