// tine-test: fn=inline_definition
// An `inline` function that no file makes known to others is still the one that is called.
#include <tine.h>

inline int twice(int x) { return x > 1000 ? 0 : 2 * (x & 0xff); }

int inline_definition(int x) {
    if (twice(x) == 84)                     //~ COVERED
        tine_assert((x & 0xff) != 42);      //~ ERROR assertion failure
    return 0;
}
