// tine-test: fn=f
// A flexible array of which only the used part is set; it grows by realloc and is copied with its slack.
#include <stdlib.h>
#include <string.h>

struct vec {
    unsigned n, room;
    int data[];
};

static struct vec *push(struct vec *v, int x) {
    if (!v || v->n == v->room) {
        unsigned room = v ? v->room * 2 : 2;
        struct vec *w = realloc(v, sizeof *w + room * sizeof w->data[0]);
        if (!w)
            return v;
        if (!v)
            w->n = 0;
        w->room = room;
        v = w;
    }
    v->data[v->n++] = x;
    return v;
}

int f(int k) {
    struct vec *v = NULL;
    for (int i = 0; i < 5; i++)
        v = push(v, k ^ i);
    if (!v)
        return -1;
    size_t size = sizeof *v + v->room * sizeof v->data[0];
    struct vec *copy = malloc(size);
    int r = 0;
    if (copy) {
        memcpy(copy, v, size); /* slack, too */
        for (unsigned i = 0; i < copy->n; i++)
            if (copy->data[i] == 7)
                r++;
        free(copy);
    }
    free(v);
    return r;
}
