// tine-test: fn=far verdict=incomplete reason="address depends on the input"
// FIXME: of a pointer into an object with thousands of places only the first are tried; the verdict says so.
#include <stdlib.h>

struct block {
    int a[5000];
};

void far(struct block *b, int *i) {
    if (!b || !i)                       //~ COVERED
        return;
    b->a[4000] = 1;
    *i = 2;
    if (b->a[4000] == 2)
        abort();                        //~ UNREACHABLE
}
