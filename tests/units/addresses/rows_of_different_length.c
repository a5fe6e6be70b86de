// tine-test: fn=rows_of_different_length
// A triangular matrix, reached by pointers to its rows.
#include <tine.h>

int rows_of_different_length(unsigned i, unsigned j) {
    static int r0[1] = {1}, r1[2] = {2, 3}, r2[3] = {4, 5, 6};
    static int *const rows[3] = {r0, r1, r2};
    i %= 3;
    if (j > i)                              //~ COVERED
        return 0;
    int v = rows[i][j];
    if (v == 5)                             //~ COVERED
        tine_assert(i != 2 || j != 1);      //~ ERROR assertion failure
    tine_assert(v >= 1 && v <= 6);
    if (v == 3 && i != 1)
        return -1;                          //~ UNREACHABLE
    return v;
}
