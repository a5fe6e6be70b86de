// tine-test: fn=pair
// CWE-628: arguments are taken from a list until a sentinel. The twin copies the list and reads it twice.
#include <stdarg.h>

static int sum(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= *va_arg(list, int *); //~ ERROR null pointer dereference
    for (int i = 0; i < n; i++)
        s ^= *va_arg(again, int *);
    va_end(again);
    va_end(list);
    return s;
}

int bad(int k) {
    int x = 3;
    return sum(k == 2 ? 2 : 1, &x, (int *)0);
}

int good(int k) {
    int x = 3, y = 4;
    return sum(k == 2 ? 2 : 1, &x, &y, (int *)0);
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
