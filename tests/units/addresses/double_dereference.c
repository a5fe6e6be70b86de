// tine-test: fn=double_dereference
// The second index goes into the object that the first one chose.
#include <tine.h>

int double_dereference(unsigned i, unsigned j) {
    static const int a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40};
    const int *t[2] = {a, b};
    int v = t[i & 1][j & 3];
    if (v == 30)                                    //~ COVERED
        tine_assert((i & 1) != 1 || (j & 3) != 2);  //~ ERROR assertion failure
    if (v > 4 && (i & 1) == 0)
        return -1;                                  //~ UNREACHABLE
    return v;
}
