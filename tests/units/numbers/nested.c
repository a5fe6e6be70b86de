// tine-test: fn=nested
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct nested { struct { union { struct { long first; int *p; } a; struct { long first, second; } b; } in; } out; };
int nested(struct nested *v) {
    if (v && v->out.in.b.first == 1 && v->out.in.b.second == 123456789012)
        abort(); //~ ERROR abort
    return 0;
}
