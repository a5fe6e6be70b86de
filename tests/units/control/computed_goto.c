// tine-test: fn=computed_goto paths=4
// A jump through a table of labels; the index is a plain number on each path.
#include <tine.h>

int computed_goto(int x) {
    static const void *const table[] = {&&zero, &&one, &&two};
    int index = 0;
    if (x > 100)                            //~ COVERED
        index = 1;
    if (x == -5)                            //~ COVERED
        index = 2;
    goto *table[index];
zero:
    return 0;
one:
    tine_assert(x != 101);                  //~ ERROR assertion failure
    return 1;
two:
    return 2;
}
