// tine-test: fn=ring_buffer
// A ring whose start is an input.
#include <tine.h>

struct ring {
    unsigned head, tail;
    int cells[4];
};

static void put(struct ring *r, int v) { r->cells[r->tail++ & 3] = v; }
static int get(struct ring *r) { return r->cells[r->head++ & 3]; }

int ring_buffer(unsigned start, int x, int y) {
    struct ring r = {start, start, {0}};
    put(&r, x);
    put(&r, y);
    if (r.cells[0] == 70 && r.cells[3] == 71)                           //~ COVERED
        tine_assert((start & 3) != 3);                                  //~ ERROR assertion failure
    tine_assert(get(&r) == x);
    tine_assert(get(&r) == y);
    return 0;
}
