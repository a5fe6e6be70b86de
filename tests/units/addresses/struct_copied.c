// tine-test: fn=struct_copied
// A whole element is copied to another place.
#include <tine.h>

struct pair {
    char tag;
    int value;
    short rest;
};

int struct_copied(unsigned i, unsigned j, int x) {
    struct pair t[4] = {{'a', 1, 10}, {'b', 2, 20}, {'c', 3, 30}, {'d', x, 40}};
    t[i & 3] = t[j & 3];
    if (t[0].tag == 'd' && t[0].value == 555)                   //~ COVERED
        tine_assert(x != 555);                                  //~ ERROR assertion failure
    tine_assert(t[i & 3].rest == (short)(((j & 3) + 1) * 10));
    if (t[1].tag != 'b' && (i & 3) != 1)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
