// tine-test: fn=three_dimensions
// Three indices, and a write among them.
#include <tine.h>

int three_dimensions(unsigned i, unsigned j, unsigned k) {
    int t[2][3][2] = {{{0}}};
    t[i & 1][j % 3][k & 1] = 9;
    if (t[1][2][0] == 9)                                            //~ COVERED
        tine_assert((i & 1) != 1 || j % 3 != 2 || (k & 1) != 0);    //~ ERROR assertion failure
    tine_assert(t[i & 1][j % 3][!(k & 1)] == 0);
    return t[0][1][1];
}
