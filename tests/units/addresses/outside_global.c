// tine-test: fn=outside_global unnoticed
// A pointer into a global leaves it.
#include <tine.h>

static int table[4] = {1, 2, 3, 4};

static int at(const int *p, unsigned i) {
    return p[i];                                                //~ ERROR out-of-bounds read
}

int outside_global(unsigned i) {
    tine_assume(i < 1000000);
    int v = at(table, i);
    tine_assert(i < 4 && v == (int)i + 1);
    return 0;
}
