// tine-test: fn=varargs_struct
// Structures as variable arguments: small in registers, large on the stack.
#include <stdarg.h>
#include <tine.h>

struct small {
    int a, b;
};
struct large {
    long a[4];
};

static long read_both(int n, ...) {
    va_list list;
    va_start(list, n);
    struct small s = va_arg(list, struct small);
    struct large l = va_arg(list, struct large);
    int after = va_arg(list, int);
    va_end(list);
    return s.b == 21 && l.a[3] == -4 && after == 5;
}

int varargs_struct(int x, long y, int z) {
    struct small s = {1, x};
    struct large l = {{0, 1, 2, y}};
    if (read_both(3, s, l, z))              //~ COVERED
        tine_assert(x != 21);               //~ ERROR assertion failure
    return 0;
}
