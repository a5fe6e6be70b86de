// tine-test: fn=pair
// CWE-127: a loop backwards ends when the pointer is at the start, not before it.
#include <stdlib.h>

int bad(int k) {
    int *a = calloc(3, sizeof *a), s = 0;
    for (int *p = a + 2, *stop = k == 3 ? a - 1 : a; p >= stop; p--)
        s += *p; //~ ERROR out-of-bounds read
    free(a);
    return s;
}

int good(int k) {
    int *a = calloc(3, sizeof *a), s = 0;
    for (int *p = a + 3; p-- > a;)
        s += *p + k;
    free(a);
    return s != 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : k < 1000 && k > -1000 ? good(k) : 0; }
