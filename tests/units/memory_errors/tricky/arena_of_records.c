// tine-test: fn=f
// An arena hands out parts of one block; records are set member by member and copied as a whole.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct arena {
    char *base;
    size_t used, room;
};

struct record {
    char tag;
    int value;
    short rest;
};

static void *get(struct arena *a, size_t n) {
    n = (n + 15) & ~(size_t)15;
    if (a->used + n > a->room)
        return NULL;
    void *p = a->base + a->used;
    a->used += n;
    return p;
}

int f(int k) {
    struct arena a = {malloc(256), 0, 256};
    if (!a.base)
        return -1;
    struct record *last = NULL;
    for (int i = 0; i < 3; i++) {
        struct record r, *to = get(&a, sizeof r);
        if (!to)
            break;
        r.tag = (char)i;
        r.value = k;
        r.rest = 1;
        *to = r;
        last = to;
    }
    int found = last && last->value == 41 && last->tag == 2;
    free(a.base);
    return found;
}
