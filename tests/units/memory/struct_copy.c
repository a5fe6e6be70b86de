// tine-test: fn=struct_copy
// Assignment copies all, and later writes to the source do not show.
#include <tine.h>

struct triple {
    int a, b, c;
};

int struct_copy(int x) {
    struct triple s = {x, 2, 3}, t, list[2];
    t = s;
    s.a = 9;
    list[1] = t;
    list[0] = s;
    if (list[0].a != 9)
        return -1;                          //~ UNREACHABLE
    if (list[1].a == 1000)                  //~ COVERED
        tine_assert(x != 1000);             //~ ERROR assertion failure
    return t.b + t.c;
}
