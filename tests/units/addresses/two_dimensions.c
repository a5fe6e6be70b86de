// tine-test: fn=two_dimensions
// Both indices are inputs.
#include <tine.h>

int two_dimensions(unsigned i, unsigned j) {
    static const unsigned char t[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}};
    i %= 3;
    j %= 5;
    if (t[i][j] == 13)                      //~ COVERED
        tine_assert(i != 2 || j != 2);      //~ ERROR assertion failure
    tine_assert(t[i][j] == i * 5 + j + 1);
    return 0;
}
