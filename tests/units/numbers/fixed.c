// tine-test: fn=fixed
// A number that the path uses as a pointer is not an input that counts: no error, and the objects there could be are tried.
#include <stdlib.h>

struct value { int tag; union { long i; int *p; } u; };

int fixed(struct value v) {
    if (v.u.i == 77)
        return *v.u.p;
    return 0;
}
