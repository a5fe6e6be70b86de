// tine-test: fn=pointer_written_to_table
// A pointer is put into a table at one index and used at another.
#include <tine.h>

int pointer_written_to_table(unsigned i, unsigned j) {
    int x = 1, y = 2;
    int *t[3] = {&x, &x, &x};
    t[i % 3] = &y;
    *t[j % 3] = 50;
    if (y == 50)                                                        //~ COVERED
        tine_assert(i % 3 != j % 3);                                    //~ ERROR assertion failure
    else
        tine_assert(x == 50 && i % 3 != j % 3);
    return 0;
}
