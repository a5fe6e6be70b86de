// tine-test: fn=pair
// CWE-416: a free list keeps its links in the blocks that it holds; for the heap they are not freed. Then the pool is.
#include <stdlib.h>

union slot {
    union slot *next;
    long value;
};

struct pool {
    union slot *slots, *unused;
};

static void init(struct pool *p) {
    p->slots = malloc(3 * sizeof *p->slots);
    p->unused = NULL;
    for (int i = 0; i < 3; i++) {
        p->slots[i].next = p->unused;
        p->unused = &p->slots[i];
    }
}

static long *take(struct pool *p) {
    union slot *s = p->unused;
    if (s)
        p->unused = s->next;
    return s ? &s->value : NULL;
}

static void give(struct pool *p, long *value) {
    union slot *s = (union slot *)value;
    s->next = p->unused;
    p->unused = s;
}

static int run(int k, int early) {
    struct pool p;
    init(&p);
    long *a = take(&p), *b = take(&p), *c = take(&p);
    *a = *b = *c = k;
    give(&p, b);
    long *again = take(&p);
    if (k == 8 && early)
        free(p.slots);
    *again = 4; //~ ERROR use after free
    int r = take(&p) == NULL;
    if (!(k == 8 && early))
        free(p.slots);
    return r;
}

int bad(int k) { return run(k, 1); }
int good(int k) { return run(k, 0); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
