// tine-test: fn=null_argument exit=1
// NULL for a parameter that is declared never to be.
#include <stddef.h>

static __attribute__((nonnull)) int first(const int *p) { return *p; }

int null_argument(int x) {
    int cell = 3;
    int *p = &cell;
    if (x == -900)                          //~ COVERED
        p = NULL;
    return first(p);                        //~ ERROR null passed where non-null is required
}
