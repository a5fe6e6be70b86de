// tine-test: fn=function_table
// The function that is called comes from a table.
#include <tine.h>

static int twice(int x) { return x * 2; }
static int negated(int x) { return -x; }
static int same(int x) { return x; }

int function_table(unsigned char i, signed char x) {
    static int (*const t[4])(int) = {twice, negated, same, twice};
    int v = t[i & 3](x);
    if (v == -100 && x == 100)                          //~ COVERED
        tine_assert((i & 3) != 1);                      //~ ERROR assertion failure
    if (v == 51 && (i & 3) == 3)
        return -1;                                      //~ UNREACHABLE
    return 0;
}
