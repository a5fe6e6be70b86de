// tine-test: fn=null_return exit=1
// NULL from a function that is declared never to return it.
#include <stddef.h>

static int cell = 8;

static __attribute__((returns_nonnull, noinline)) int *address(int x) {
    int *p = &cell;
    if (x == 4040)                          //~ COVERED
        p = NULL;
    return p;
}                                           //~ ERROR null returned where non-null is required

int null_return(int x) { return address(x) != &cell; }
