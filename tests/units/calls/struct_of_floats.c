// tine-test: fn=struct_of_floats
// Two floats by value share a vector register.
#include <tine.h>

struct point {
    float x, y;
};

static int inside(struct point p) { return p.x == 0.5f && p.y == 8.0f; }

int struct_of_floats(float x, float y) {
    struct point p = {x, y};
    if (inside(p) && x > 1.0f)
        return -1;                          //~ UNREACHABLE
    if (y > 100.0f)                         //~ COVERED
        return 1;
    return 0;
}
