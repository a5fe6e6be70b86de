// tine-test: fn=struct_mixed
// Integers and floats in one structure take registers of both kinds.
#include <tine.h>

struct measure {
    int id;
    float value;
    double scale;
};
struct pair_of_floats {
    float x, y;
};

static int check(struct measure m, struct pair_of_floats p) {
    return m.id == 77 && m.value == 1.5f && m.scale == -2.0 && p.x == 0.5f && p.y == 8.0f;
}

int struct_mixed(int id, float value, double scale, float x, float y) {
    struct measure m = {id, value, scale};
    struct pair_of_floats p = {x, y};
    if (check(m, p))                        //~ COVERED
        tine_assert(id != 77);              //~ ERROR assertion failure
    return 0;
}
