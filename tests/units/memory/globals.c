// tine-test: fn=globals
// Globals and static locals start anew in every run.
#include <tine.h>

int counter = 5;
static short table[3] = {1, 2, 3};

static int next(void) {
    static int last = 10;
    return last++;
}

int globals(short x) {
    tine_assert(counter == 5);
    tine_assert(table[1] == 2);
    counter++;
    table[1] = x;
    if (next() != 10 || next() != 11)
        return -1;                          //~ UNREACHABLE
    if (table[1] == 999)                    //~ COVERED
        tine_assert(counter != 6);          //~ ERROR assertion failure
    return table[0] + table[2];
}
