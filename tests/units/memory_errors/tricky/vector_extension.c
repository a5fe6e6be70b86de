// tine-test: fn=pair
// CWE-787: sixteen bytes at once.
#include <stdlib.h>
#include <string.h>

typedef unsigned char v16 __attribute__((vector_size(16), aligned(1)));

static void clear(unsigned char *p, int n, int check) {
    int i = 0;
    for (; i + (check ? 16 : 1) <= n; i += 16)
        *(v16 *)(p + i) = (v16){0}; //~ ERROR out-of-bounds write
    for (; i < n; i++)
        p[i] = 0;
}

static int run(int n, int check) {
    unsigned char *p = malloc(20);
    clear(p, n == 20 ? 20 : 16, check);
    int r = p[15];
    free(p);
    return r;
}

int bad(int n) { return run(n, 0); }
int good(int n) { return run(n, 1); }
int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
