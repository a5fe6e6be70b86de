// tine-test: fn=halves
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct halves { union { struct { int a, b; } ab; char *s; } u; };
int halves(struct halves v) {
    if (v.u.ab.a == 3 && v.u.ab.b == 9)
        abort(); //~ ERROR abort
    return 0;
}
