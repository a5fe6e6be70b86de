// tine-test: fn=null_in_table
// One of the pointers in a table is null.
#include <tine.h>

int null_in_table(unsigned i) {
    static int x = 4, y = 5;
    static int *const t[4] = {&x, 0, &y, &x};
    int *p = t[i & 3];
    if (!p)                                                             //~ COVERED
        tine_assert((i & 3) != 1);                                      //~ ERROR assertion failure
    else
        tine_assert(*p == 4 || (*p == 5 && (i & 3) == 2));
    return 0;
}
