// tine-test: fn=pair
// CWE-787: an arena in static memory, with and without a check of what is left.
#include <stddef.h>

static _Alignas(16) char arena[48];
static size_t used;

static void *take(size_t n, int check) {
    n = (n + 15) & ~(size_t)15;
    if (check && n > sizeof arena - used)
        return NULL;
    void *p = arena + used;
    used += n;
    return p;
}

static int run(unsigned n, int check) {
    used = 0;
    for (unsigned i = 0; i < n && i < 5; i++) {
        int *p = take(sizeof *p, check);
        if (!p)
            return -1;
        *p = (int)i; //~ ERROR out-of-bounds write
    }
    return 0;
}

int bad(unsigned n) { return run(n, 0); }
int good(unsigned n) { return run(n, 1); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
