// tine-test: fn=union_in_table
// Elements that are one thing or another.
#include <tine.h>

struct value {
    int is_real;
    union {
        long whole;
        double real;
    } u;
};

int union_in_table(unsigned i, long x) {
    struct value t[3] = {{1, {.real = 2.5}}, {0, {.whole = x}}, {1, {.real = -1.0}}};
    struct value *v = &t[i % 3];
    if (v->is_real && v->u.real < 0)                            //~ COVERED
        tine_assert(i % 3 != 2);                                //~ ERROR assertion failure
    if (!v->is_real && v->u.whole == 0x4004000000000000L)       //~ COVERED
        tine_assert(v->u.real == 2.5);
    if (v->is_real && v->u.whole == 5)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
