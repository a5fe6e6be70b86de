// tine-test: fn=malloc_size
// All sizes of a class are one path; the last byte is inside.
#include <stdlib.h>
#include <tine.h>

int malloc_size(unsigned n) {
    tine_assume(n >= 1 && n <= 4);
    char *a = malloc(n);
    if (!a)
        exit(0);
    a[n - 1] = 'x';
    if (n == 3)                                 //~ COVERED
        tine_assert(a[2] != 'x');               //~ ERROR assertion failure
    if (n == 4)                                 //~ COVERED
        tine_assert(a[3] == 'x');
    free(a);
    return 0;
}
