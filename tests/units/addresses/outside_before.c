// tine-test: fn=outside_before unnoticed
// Before the start of an object.
#include <stdlib.h>
#include <tine.h>

int outside_before(signed char i) {
    char *a = malloc(8);
    if (!a)
        exit(0);
    for (int k = 0; k < 8; k++)
        a[k] = (char)k;
    tine_assume(i < 8);
    char v = a[i];                                              //~ ERROR out-of-bounds read
    tine_assert(i >= 0 && v == i);
    free(a);
    return 0;
}
