// tine-test: fn=table_of_pointers
// A pointer read from a table, and then what it points to.
#include <tine.h>

int table_of_pointers(unsigned i) {
    static int a = 5, b = 17, c = 42;
    static int *const t[4] = {&a, &b, &c, &a};
    int v = *t[i & 3];
    if (v == 42)                            //~ COVERED
        tine_assert((i & 3) != 2);          //~ ERROR assertion failure
    if (v == 5 && (i & 1) && (i & 2) == 0)
        return -1;                          //~ UNREACHABLE
    tine_assert(v == 5 || v == 17 || v == 42);
    return v;
}
