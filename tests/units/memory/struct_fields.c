// tine-test: fn=struct_fields
// Nested structures, arrays in them, anonymous members.
#include <tine.h>

struct point {
    short x, y;
};

struct shape {
    char kind;
    struct point corner[2];
    union {
        int radius;
        struct {
            short width, height;
        };
    };
};

int struct_fields(short x, short y, int r) {
    struct shape s = {.kind = 'r', .corner = {[1] = {.x = x, .y = y}}, .radius = r};
    struct shape *p = &s;
    if (p->corner[0].x != 0)
        return -1;                                  //~ UNREACHABLE
    if (p->corner[1].x == 300 && p->corner[1].y == -300 && p->height == 0x0102 && p->width == -1)   //~ COVERED
        tine_assert(r != 0x0102ffff);               //~ ERROR assertion failure
    return 0;
}
