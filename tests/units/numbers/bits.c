// tine-test: fn=bits
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct bits { union { void *p; struct { unsigned low : 3, high : 5; } f; } u; };
int bits(struct bits v) {
    if (v.u.f.low == 5 && v.u.f.high == 17)
        abort(); //~ ERROR abort
    return 0;
}
