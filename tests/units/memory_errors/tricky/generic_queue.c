// tine-test: fn=f
// Elements of any size are copied in and out by their size.
#include <stdlib.h>
#include <string.h>

struct queue {
    size_t size, n, room;
    unsigned char *data;
};

static int push(struct queue *q, const void *element) {
    if (q->n == q->room) {
        size_t room = q->room ? 2 * q->room : 1;
        void *data = realloc(q->data, room * q->size);
        if (!data)
            return 0;
        q->data = data;
        q->room = room;
    }
    memcpy(q->data + q->n++ * q->size, element, q->size);
    return 1;
}

struct pair {
    short a;
    long b;
};

int f(int k) {
    struct queue q = {sizeof(struct pair), 0, 0, NULL};
    for (int i = 0; i < 3; i++) {
        struct pair p;
        p.a = (short)i;
        p.b = k;
        if (!push(&q, &p))
            break;
    }
    int r = 0;
    for (size_t i = 0; i < q.n; i++) {
        struct pair p;
        memcpy(&p, q.data + i * q.size, q.size);
        if (p.a == 1 && p.b == 66)
            r = 1;
    }
    free(q.data);
    return r;
}
