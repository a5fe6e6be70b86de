// tine-test: fn=called
// A number that the path uses as a pointer is not an input that counts: no error, and the objects there could be are tried.
#include <stdlib.h>

static int two(int n) { return 2 * n; }
int (*taken)(int) = two;
union code { int (*f)(int); unsigned long n; };
int called(union code c) {
    if (c.n < 10)
        return 0;
    if (c.f(4) == 8)
        abort(); //~ ERROR abort
    return 0;
}
