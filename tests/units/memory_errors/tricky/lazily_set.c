// tine-test: fn=f verdict=bounded
// A cache entry is read only after its flag says that it was set.
#include <stdlib.h>

struct cache {
    unsigned char valid[4];
    int value[4];
};

static int square(struct cache *c, unsigned i) {
    if (!c->valid[i]) {
        c->value[i] = (int)(i * i);
        c->valid[i] = 1;
    }
    return c->value[i];
}

int f(unsigned k) {
    struct cache *c = malloc(sizeof *c);
    if (!c)
        return -1;
    for (int i = 0; i < 4; i++)
        c->valid[i] = 0;
    int r = square(c, k & 3) + square(c, 2);
    free(c);
    if (r == 8)
        return 1;
    return 0;
}
