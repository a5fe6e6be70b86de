// tine-test: fn=pair
// CWE-457: realloc keeps the old part; the new part has no value yet.
#include <stdlib.h>

static int grow(int k, int n) {
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    int *q = realloc(p, 4 * sizeof *p);
    if (!q) {
        free(p);
        return -1;
    }
    for (int i = 2; i < n; i++)
        q[i] = i;
    int r = 0;
    if (k == 8 && q[3] == 3) //~ ERROR uninitialised read
        r = q[1];
    free(q);
    return r;
}

int pair(int faulty, int k) { return grow(k, faulty ? 3 : 4); }
