// tine-test: fn=escapes
// Errors that leave functions by longjmp, and variadic functions.
#include <setjmp.h>
#include <stdarg.h>

static jmp_buf out;

static int largest(int n, ...) {
    va_list list;
    va_start(list, n);
    int best = 0;
    while (n-- > 0) {
        int next = va_arg(list, int);
        if (next > best)
            best = next;
    }
    va_end(list);
    return best;
}

static void check(int x) {
    if (x > 50 || x == 7)
        longjmp(out, x == 7 ? 2 : 1);   //~ GCOV choice
}

int escapes(signed char a, signed char b) {
    int code = setjmp(out);
    if (code)
        return code == 2 && a > b;
    check(largest(2, a, b));
    check(-largest(1, b));
    return a == b || largest(3, a, b, 9) == 9;
}
