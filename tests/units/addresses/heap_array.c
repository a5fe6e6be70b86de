// tine-test: fn=heap_array
// An array on the heap; what another one holds is not touched.
#include <stdlib.h>
#include <tine.h>

int heap_array(unsigned i, unsigned j, short x) {
    short *a = calloc(6, sizeof *a), *b = calloc(6, sizeof *b);
    if (!a || !b)
        exit(0);
    a[i % 6] = x;
    if (a[j % 6] == 321)                                        //~ COVERED
        tine_assert(i % 6 != j % 6);                            //~ ERROR assertion failure
    tine_assert(b[i % 6] == 0);
    free(a);
    free(b);
    return 0;
}
