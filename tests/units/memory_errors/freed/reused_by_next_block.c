// tine-test: fn=pair
// CWE-416: the next allocation of the same size must not hide the dangling pointer.
#include <stdlib.h>

int bad(int k) {
    long *p = malloc(sizeof *p), *q;
    free(p);
    q = malloc(sizeof *q);
    *q = 5;
    if (k == 64)
        *p = 6; //~ ERROR use after free
    int r = (int)*q;
    free(q);
    return r;
}

int good(int k) {
    long *p = NULL;
    for (int i = 0; i < 3; i++) { /* the same address may come again */
        free(p);
        p = malloc(sizeof *p);
        *p = k;
    }
    int r = *p == k;
    free(p);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
