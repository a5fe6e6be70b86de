// tine-test: fn=global_array
// A global that functions share.
#include <tine.h>

int shared[5];
static void set(unsigned i, int v) { shared[i % 5] = v; }
static int get(unsigned i) { return shared[i % 5]; }

int global_array(unsigned i, unsigned j, int v) {
    set(i, v);
    set(3, 30);
    if (get(j) == 99)                               //~ COVERED
        tine_assert(v != 99 || j % 5 != i % 5);     //~ ERROR assertion failure
    if (get(j) == 99 && j % 5 == 3)
        return -1;                                  //~ UNREACHABLE
    tine_assert(get(i) == (i % 5 == 3 ? 30 : v));
    return 0;
}
