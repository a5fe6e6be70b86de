// tine-test: fn=outside_write unnoticed
// A write past the end.
#include <stdlib.h>
#include <tine.h>

int outside_write(unsigned i) {
    long *a = calloc(3, sizeof *a);
    if (!a)
        exit(0);
    tine_assume(i <= 3);
    a[i] = 5;                                                   //~ ERROR out-of-bounds write
    tine_assert(a[0] + a[1] + a[2] == 5);
    free(a);
    return 0;
}
