// tine-test: fn=pair
// CWE-416: a callback frees the element that the walker still uses.
#include <stdlib.h>

struct timer {
    void (*fire)(struct timer *);
    int period;
};

static void once(struct timer *t) { free(t); }
static void again(struct timer *t) { t->period = 0; }

static int tick(struct timer *t) {
    int period = t->period;
    t->fire(t);
    return period;
}

int bad(int k) {
    struct timer *t = malloc(sizeof *t);
    *t = (struct timer){k == 30 ? once : again, k};
    t->fire(t);
    int r = t->period; //~ ERROR use after free
    free(t);
    return r;
}

int good(int k) {
    struct timer *t = malloc(sizeof *t);
    *t = (struct timer){k == 30 ? once : again, k};
    int r = tick(t);
    if (r != 30)
        free(t);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
