// tine-test: fn=pair
// CWE-122: a growing vector compares with the capacity one element too late.
#include <stdlib.h>

struct vector {
    int *data;
    unsigned length, capacity;
};

static void push(struct vector *v, int value, unsigned slack) {
    if (v->length + 1 > v->capacity + slack) {
        v->capacity = v->capacity ? 2 * v->capacity : 2;
        v->data = realloc(v->data, v->capacity * sizeof *v->data);
    }
    v->data[v->length++] = value; //~ ERROR out-of-bounds write
}

static int fill(unsigned n, unsigned slack) {
    struct vector v = {0};
    push(&v, 1, 0);
    for (unsigned i = 1; i < n && i < 9; i++)
        push(&v, (int)i, slack);
    int r = v.data[v.length - 1];
    free(v.data);
    return r;
}

int bad(unsigned n) { return fill(n, 1); }
int good(unsigned n) { return fill(n, 0); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
