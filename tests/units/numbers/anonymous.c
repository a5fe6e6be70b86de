// tine-test: fn=anonymous
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct anonymous { int tag; union { int *p; unsigned n; }; };
int anonymous(struct anonymous *v) {
    if (v && v->tag == 1 && v->p && *v->p == 4)
        abort(); //~ ERROR abort
    if (v && v->tag == 2 && v->n == 40)
        abort(); //~ ERROR abort
    return 0;
}
