// tine-test: fn=f
// Bit-fields set one after another in memory that was not set before.
#include <stdlib.h>

struct packed {
    unsigned a : 1, b : 7, c : 9, d : 15;
    _Bool e : 1;
    signed char g : 4;
};

static void set(struct packed *p, int k) {
    p->a = k & 1;
    p->b = 5;
    p->d = 77;
    p->c = 3;
    p->g = -2;
    p->e = k > 4;
}

int f(int k) {
    struct packed *p = malloc(sizeof *p), local;
    if (!p)
        return -1;
    set(p, k);
    set(&local, k + 0u == 3);
    struct packed q = *p;
    free(p);
    if (q.e && q.c == 3 && q.g < 0 && local.a)
        return 1;
    return q.b;
}
