// tine-test: fn=pair
// CWE-122: an arena is one object: leaving a part of it is not seen, leaving the arena is.
#include <stddef.h>
#include <stdlib.h>

struct arena {
    char *base;
    size_t used, size;
};

static void *take(struct arena *a, size_t n, int check) {
    n = (n + 7) & ~(size_t)7;
    if (check && n > a->size - a->used)
        return NULL;
    void *p = a->base + a->used;
    a->used += n;
    return p;
}

static int run(unsigned n, int check) {
    struct arena a = {malloc(32), 0, 32};
    for (unsigned i = 0; i < n && i < 6; i++) {
        long *p = take(&a, sizeof *p, check);
        if (p)
            *p = i; //~ ERROR out-of-bounds write
    }
    free(a.base);
    return 0;
}

int bad(unsigned n) { return run(n, 0); }
int good(unsigned n) { return run(n, 1); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
