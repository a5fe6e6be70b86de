// tine-test: fn=later
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct later { long n; union { double d; struct later *next; } u; };
int later(struct later *v) {
    if (v && v->n == 1 && v->u.next && v->u.next->n == 2 && v->u.next->u.d > 1e10)
        abort(); //~ ERROR abort
    return 0;
}
