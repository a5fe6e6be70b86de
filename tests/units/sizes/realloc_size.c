// tine-test: fn=realloc_size
// A size that depends on an input stays symbolic when an object grows or shrinks, and what was in it stays, too.
#include <stdlib.h>
#include <tine.h>

int realloc_size(unsigned n) {
    tine_assume(n >= 2 && n <= 40);
    char *a = malloc(2);
    if (!a)
        exit(0);
    a[0] = 'a';
    a[1] = 'b';
    char *b = realloc(a, n);
    if (!b)
        exit(0);
    tine_assert(b[0] == 'a' && b[1] == 'b');
    b[n - 1] = 'x';
    if (n == 3)                                 //~ COVERED
        tine_assert(b[2] != 'x');               //~ ERROR assertion failure
    if (n == 37)                                //~ COVERED
        tine_assert(b[36] == 'x' && b[1] == 'b');
    free(b);
    return 0;
}
