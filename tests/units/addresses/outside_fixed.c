// tine-test: fn=outside_fixed unnoticed
// The path says what the index is, and that it is too large.
#include <stdlib.h>
#include <tine.h>

int outside_fixed(const int *p, int *q, unsigned i) {
    int *a = calloc(3, sizeof *a);
    if (!a || !p || !q)
        exit(0);
    *q = *p;                                                    // where they point to is fixed
    if (i == 3)                                                 //~ COVERED
        a[i] = 1;                                               //~ ERROR out-of-bounds write
    if (i == 2) {                                               //~ COVERED
        a[i] = 7;
        tine_assert(a[2] == 7);
    }
    free(a);
    return 0;
}
