// tine-test: fn=number_then_pointer
// tine-test: fn=aligned
// tine-test: fn=called
// tine-test: fn=checked
// tine-test: fn=fixed
// A number that the path uses as a pointer is not an input that counts: no error, and the objects there could be are tried.
#include <stdlib.h>

struct value { int tag; union { long i; int *p; } u; };
int number_then_pointer(struct value v) {
    if (v.u.i <= 100)
        return 0;
    if (*v.u.p == 5)
        abort(); //~ ERROR abort
    return 1;
}

struct pair { long a, b; };
union both { long n; struct pair *p; };
int aligned(union both u) {
    if (u.n == 0)
        return 0;
    return u.p->b == 3;
}

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

int checked(int *p) {
    if ((long)p == 77)
        return 1;
    if (!p)
        return 2;
    if (*p == 6)
        abort(); //~ ERROR abort
    return 0;
}

int fixed(struct value v) {
    if (v.u.i == 77)
        return *v.u.p;
    return 0;
}
