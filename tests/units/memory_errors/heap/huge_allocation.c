// tine-test: fn=pair
// CWE-789: an unchecked size makes `malloc` fail, and the result is used.
#include <stdlib.h>

int bad(unsigned long n) {
    if (n < 1)
        return 0;
    char *p = malloc(n > 8 ? (size_t)-1 / 2 - 100 : n);
    p[0] = 1; //~ ERROR null pointer dereference
    free(p);
    return 0;
}

int good(unsigned long n) {
    if (n < 1)
        return 0;
    char *p = malloc(n > 8 ? (size_t)-1 / 2 - 100 : n);
    if (!p)
        return 1;
    p[0] = 1;
    free(p);
    return 0;
}

int pair(int faulty, unsigned long n) { return faulty ? bad(n) : good(n); }
