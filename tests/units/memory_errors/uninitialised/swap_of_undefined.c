// tine-test: fn=pair
// CWE-457: sorting moves elements that were never set. The twin moves them as well, but compares only the others.
#include <stdlib.h>

static void reverse(int *a, int n) {
    for (int i = 0; i < n / 2; i++) {
        int t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

static int run(int k, int at) {
    int *a = malloc(4 * sizeof *a), r = 0;
    a[0] = k;
    a[1] = 2;
    reverse(a, 4);
    if (a[k == 6 ? at : 3] == 6) //~ ERROR uninitialised read
        r = 1;
    free(a);
    return r;
}

int bad(int k) { return run(k, 1); }
int good(int k) { return run(k, 2); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
