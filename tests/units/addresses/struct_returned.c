// tine-test: fn=struct_returned
// A small element is a value that functions take and return.
#include <tine.h>

struct point {
    int x, y;
};

static struct point at(const struct point *t, unsigned i) { return t[i % 3]; }
static struct point turned(struct point p) { return (struct point){-p.y, p.x}; }

int struct_returned(unsigned i) {
    static struct point t[3] = {{1, 2}, {3, 4}, {5, 6}};
    struct point p = turned(at(t, i));
    t[(i + 1) % 3] = p;
    if (t[0].x == -6)                                           //~ COVERED
        tine_assert(i % 3 != 2);                                //~ ERROR assertion failure
    tine_assert(p.x + p.y == -1);
    return 0;
}
