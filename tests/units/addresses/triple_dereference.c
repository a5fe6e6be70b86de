// tine-test: fn=triple_dereference
// Through two tables.
#include <tine.h>

int triple_dereference(unsigned i, unsigned j) {
    static int x = 1, y = 2, z = 3;
    static int *first[2] = {&x, &y}, *second[2] = {&y, &z};
    static int **const t[2] = {first, second};
    **(t[i & 1] + (j & 1)) += 10;
    if (z == 13)                                    //~ COVERED
        tine_assert(!(i & 1) || !(j & 1));          //~ ERROR assertion failure
    tine_assert(x + y + z == 16);
    tine_assert((y == 12) == ((i & 1) != (j & 1)));
    return 0;
}
