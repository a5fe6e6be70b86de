// tine-test: fn=static_array
// A static array remembers from call to call, but not from run to run.
#include <tine.h>

static int count(unsigned i) {
    static int seen[4];
    return ++seen[i & 3];
}

int static_array(unsigned i, unsigned j, unsigned k) {
    count(i);
    count(j);
    int n = count(k);
    if (n == 3)                                                 //~ COVERED
        tine_assert((i & 3) != (j & 3) || (j & 3) != (k & 3));  //~ ERROR assertion failure
    tine_assert(n >= 1 && n <= 3);
    if (n == 1 && (i & 3) == (k & 3))
        return -1;                                              //~ UNREACHABLE
    return 0;
}
