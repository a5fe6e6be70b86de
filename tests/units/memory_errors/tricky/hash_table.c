// tine-test: fn=f verdict=bounded
// Open addressing: a byte says whether a slot is used; keys and values of others are not set.
#include <stdlib.h>
#include <string.h>

struct map {
    unsigned char used[8];
    unsigned key[8];
    void *value[8];
};

static void **find(struct map *m, unsigned key) {
    for (unsigned i = 0; i < 8; i++) {
        unsigned slot = (key + i) % 8;
        if (!m->used[slot]) {
            m->used[slot] = 1;
            m->key[slot] = key;
            m->value[slot] = NULL;
            return &m->value[slot];
        }
        if (m->key[slot] == key)
            return &m->value[slot];
    }
    return NULL;
}

int f(unsigned char k) {
    struct map *m = malloc(sizeof *m);
    if (!m)
        return -1;
    memset(m->used, 0, sizeof m->used);
    *find(m, 3) = m;
    *find(m, 11) = m;
    void **v = find(m, k == 200 ? 3 : 4);
    int r = v && *v == m;
    free(m);
    return r;
}
