// tine-test: fn=struct_by_value
// An array inside of a structure that is passed by value.
#include <tine.h>

struct big {
    char tag;
    int cells[9];
};

static int pick(char tag, struct big a, long one, struct big b, unsigned i) {
    a.cells[i & 7] += (int)one;
    return tag == 'a' ? a.cells[i & 7] : b.cells[i & 7];
}

int struct_by_value(unsigned i, char tag) {
    struct big s = {'s', {1, 2, 3, 4, 5, 6, 7, 8, 9}};
    int v = pick(tag, s, 10, s, i);
    if (v == 16)                                //~ COVERED
        tine_assert((i & 7) != 5);              //~ ERROR assertion failure
    if (v == 6 && tag == 'a')
        return -1;                              //~ UNREACHABLE
    tine_assert(s.cells[i & 7] == (int)(i & 7) + 1);
    return 0;
}
