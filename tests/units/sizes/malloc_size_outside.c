// tine-test: fn=malloc_size_outside unnoticed
// One element too few is asked for.
#include <stdlib.h>
#include <tine.h>

int malloc_size_outside(unsigned n, unsigned i) {
    tine_assume(n >= 1 && n <= 4 && i <= n);
    int *a = calloc(n, sizeof *a);
    if (!a)
        exit(0);
    a[i] = 1;                                   //~ ERROR out-of-bounds write
    tine_assert(i < n);
    free(a);
    return 0;
}
