// tine-test: fn=heap_array_moved verdict=bounded
// `realloc` takes what was written along.
#include <stdlib.h>
#include <tine.h>

int heap_array_moved(unsigned i, unsigned j) {
    int *a = calloc(4, sizeof *a);
    if (!a)
        exit(0);
    a[i & 3] = 55;
    int *b = realloc(a, 64 * sizeof *b);
    if (!b)
        exit(0);
    if (b[j & 3] == 55)                                         //~ COVERED
        tine_assert((i & 3) != (j & 3));                        //~ ERROR assertion failure
    else
        tine_assert((i & 3) != (j & 3));
    free(b);
    return 0;
}
