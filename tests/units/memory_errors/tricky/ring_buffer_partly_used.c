// tine-test: fn=f
// A ring of structures, most of which are never set.
#include <stdlib.h>

struct event {
    int kind;
    char text[6];
};
struct ring {
    unsigned head, tail;
    struct event events[8];
};

static int put(struct ring *r, int kind) {
    if (r->tail - r->head == 8)
        return 0;
    struct event e;
    e.kind = kind;
    e.text[0] = 'x';
    e.text[1] = 0;
    r->events[r->tail++ % 8] = e;
    return 1;
}

static int get(struct ring *r, struct event *e) {
    if (r->head == r->tail)
        return 0;
    *e = r->events[r->head++ % 8];
    return 1;
}

int f(int k) {
    struct ring *r = malloc(sizeof *r);
    if (!r)
        return -1;
    r->head = r->tail = 0;
    put(r, 1);
    put(r, k);
    struct event e;
    int n = 0;
    while (get(r, &e))
        if (e.kind == 33 && e.text[1] == 0)
            n++;
    free(r);
    return n;
}
