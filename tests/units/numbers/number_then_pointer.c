// tine-test: fn=number_then_pointer
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
