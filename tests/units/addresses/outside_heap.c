// tine-test: fn=outside_heap unnoticed
// Past the end of an object, and inside it: both are explored.
#include <stdlib.h>
#include <tine.h>

int outside_heap(unsigned char i) {
    int *a = calloc(10, sizeof *a);
    if (!a)
        exit(0);
    a[9] = 3;
    int v = a[i];                                               //~ ERROR out-of-bounds read
    if (v == 3)                                                 //~ COVERED
        tine_assert(i != 9);                                    //~ ERROR assertion failure
    tine_assert(i < 10);
    free(a);
    return 0;
}
