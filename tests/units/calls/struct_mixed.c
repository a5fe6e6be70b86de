// tine-test: fn=struct_mixed
// Integers and floats in one structure take registers of both kinds.
#include <tine.h>

struct measure {
    int id;
    float value;
    double scale;
};
struct sample {
    double time;
    short channel;
};

static int check(struct measure m, struct sample s) {
    return m.id == 77 && m.value == 1.5f && m.scale == -2.0 && s.time == 0.5 && s.channel == 8;
}

int struct_mixed(int id, float value, double scale, double time, short channel) {
    struct measure m = {id, value, scale};
    struct sample s = {time, channel};
    if (check(m, s))                        //~ COVERED
        tine_assert(id != 77);              //~ ERROR assertion failure
    return 0;
}
