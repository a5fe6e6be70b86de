// tine-test: fn=outside_in_another unnoticed
// The path says what the index is. It is too large, and another object happens to lie there.
#include <stdlib.h>
#include <tine.h>

int outside_in_another(unsigned n, int which) {
    char *a = malloc(8), *b = malloc(64), *c = malloc(64);
    if (!a || !b || !c)
        exit(0);
    a[7] = b[0] = c[0] = 0;
    long to_b = b - a;
    char *last = (which ? a : b) + 7;
    if (n == 1)                                                 //~ COVERED
        a[n + to_b] = 3;                                        //~ ERROR invalid memory access
    if (n == 5)                                                 //~ COVERED
        b[n - to_b] = 3;                                        //~ ERROR invalid memory access
    if (n == 7) {                                               //~ COVERED
        a[n] = 1;                                               // inside
        last[n - 7] = 2;
        last[-(long)n] = 2;
        b[63 + n - 7] = 3;
        tine_assert(a[7] != 2);                                 //~ ERROR assertion failure
    }
    free(a), free(b), free(c);
    return 0;
}
