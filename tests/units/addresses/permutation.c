// tine-test: fn=permutation
// A permutation and its inverse.
#include <tine.h>

int permutation(unsigned a, unsigned b, unsigned c) {
    unsigned char p[4] = {a & 3, b & 3, c & 3, 0}, inverse[4] = {9, 9, 9, 9};
    p[3] = (unsigned char)(6 - p[0] - p[1] - p[2]);
    tine_assume(p[3] < 4);
    for (unsigned char k = 0; k < 4; k++)
        inverse[p[k]] = k;
    for (int k = 0; k < 4; k++)
        tine_assume(inverse[k] != 9);
    if (inverse[0] == 2 && inverse[1] == 3)                             //~ COVERED
        tine_assert(p[0] != 3);                                         //~ ERROR assertion failure
    for (int k = 0; k < 4; k++)
        tine_assert(inverse[p[k]] == k && p[inverse[k]] == k);
    return 0;
}
