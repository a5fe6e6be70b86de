// tine-test: fn=pair
// CWE-126: the callback gets elements, but the walker counts bytes.
#include <stdlib.h>

static int sum;
static void add(const int *x) { sum += *x; } //~ ERROR out-of-bounds read

static void each(const int *p, size_t n, void (*f)(const int *)) {
    for (size_t i = 0; i < n; i++)
        f(p + i);
}

int bad(int k) {
    int *p = calloc(4, sizeof *p);
    each(p, k == 8 ? 4 * sizeof *p : 4, add);
    free(p);
    return sum;
}

int good(int k) {
    int *p = calloc(4, sizeof *p);
    each(p, k == 8 ? 4 : 0, add);
    each(p + 4, 0, add);
    free(p);
    return sum;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
