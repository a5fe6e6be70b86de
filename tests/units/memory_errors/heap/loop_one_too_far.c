// tine-test: fn=pair
// CWE-122: a loop runs to `<=` the length. The correct twin ends on the pointer one past the end.
#include <stdlib.h>

int bad(unsigned n) {
    if (n == 0 || n > 6)
        return 0;
    int *p = malloc(n * sizeof *p);
    for (unsigned i = 0; i <= n; i++)
        p[i] = (int)i; //~ ERROR out-of-bounds write
    int last = p[n - 1];
    free(p);
    return last;
}

int good(unsigned n) {
    if (n == 0 || n > 6)
        return 0;
    int *p = malloc(n * sizeof *p);
    int *end = p + n;
    for (int *q = p; q != end; q++)
        *q = (int)(q - p);
    int last = end[-1];
    free(p);
    return last;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
