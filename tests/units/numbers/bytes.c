// tine-test: fn=bytes
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

union bytes { char *s; unsigned char b[8]; };
int bytes(union bytes *v) {
    if (v && v->b[0] == 'a' && v->b[7] == 'z' && !memcmp(v->b + 1, "bcd", 3))
        abort(); //~ ERROR abort
    return 0;
}
