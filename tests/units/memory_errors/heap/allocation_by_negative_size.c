// tine-test: fn=pair verdict=incomplete reason="input flows into `malloc`"
// CWE-789: a negative count becomes a huge size, `malloc` fails, and the result is used.
#include <stdlib.h>

int bad(signed char n) {
    if (n == 0)
        return 0;
    int *p = malloc(n * sizeof *p);
    p[0] = 1; //~ ERROR null pointer dereference
    free(p);
    return 0;
}

int good(signed char n) {
    if (n <= 0)
        return 0;
    int *p = malloc(n * sizeof *p);
    p[n - 1] = 1;
    free(p);
    return 0;
}

int pair(int faulty, signed char n) { return faulty ? bad(n) : good(n); }
