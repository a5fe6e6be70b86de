// tine-test: fn=pointed input="v->u.i = 77"
// A word that is a pointer in one member of a union is a number in the others.
#include <stdlib.h>
#include <string.h>

enum tag { INT, REAL, TEXT };
struct value { enum tag tag; union { char *s; long i; double d; } u; };

int pointed(struct value *v) {
    if (v && v->tag == INT && v->u.i == 77)
        abort(); //~ ERROR abort
    return 0;
}
