// tine-test: fn=realloc_size_outside unnoticed
// The new size counts, not the old one, whichever of them is an input; and the old one no more.
#include <stdlib.h>
#include <tine.h>

int realloc_size_outside(unsigned n, unsigned i) {
    tine_assume(n >= 1 && n <= 8 && i <= 9);
    char *a = malloc(n);
    if (!a)
        exit(0);
    char *b = realloc(a, 10);
    if (!b)
        exit(0);
    b[i] = 1;
    int *c = reallocarray(NULL, n, sizeof *c);
    if (!c)
        exit(0);
    c[i] = 1;                                   //~ ERROR out-of-bounds write
    tine_assert(i < n);
    free(b);
    free(c);
    return 0;
}
