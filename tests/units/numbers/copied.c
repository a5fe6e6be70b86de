// tine-test: fn=copied
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct copied { int tag; union { long n; char *s; } u; };
int copied(struct copied *from) {
    if (!from)
        return 0;
    struct copied to = *from;
    if (to.tag == 1 && to.u.n * 3 == 333) //~ ERROR signed integer overflow
        abort(); //~ ERROR abort
    return 0;
}
