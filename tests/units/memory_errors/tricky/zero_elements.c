// tine-test: fn=pair
// CWE-126: a length of zero at the end of a block is allowed for all functions that take a length. A length of one is an error.
#include <stdlib.h>
#include <string.h>

static int all(char *end, unsigned n) {
    char none[1] = "";
    memmove(end, none, n); //~ ERROR out-of-bounds write
    memset(end, 1, n);
    int r = memcmp(end, none, n);
    r += memchr(end, 0, n) != NULL;
    r += strncmp(end, none, n);
    strncpy(end, none, n);
    qsort(end, n, 1, (int (*)(const void *, const void *))strcmp);
    return r;
}

static int run(unsigned n) {
    char *p = malloc(4);
    int r = all(p + 4, n);
    free(p);
    return r;
}

int bad(int k) { return run(k == 2 ? 1 : 0); }
int good(int k) { return run(0) + k / 2; }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
