// tine-test: fn=array_two_dimensions
// Rows and columns: a transposed matrix.
#include <tine.h>

int array_two_dimensions(unsigned a, unsigned b) {
    unsigned m[2][3], t[3][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = (i == 1 && j == 0) ? a : (i == 0 && j == 2) ? b : 1u;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            t[j][i] = m[i][j];
    if (t[0][1] == 40u && t[2][0] == 50u)       //~ COVERED
        tine_assert(a != 40u || b != 50u);      //~ ERROR assertion failure
    if (t[1][1] != 1u)
        return -1;                              //~ UNREACHABLE
    return 0;
}
