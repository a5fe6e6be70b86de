// tine-test: fn=pair
// CWE-805: inserting at the front moves one byte too many. The twin moves overlapping parts and nothing at the end.
#include <stdlib.h>
#include <string.h>

int bad(unsigned at) {
    char *p = calloc(8, 1);
    if (at < 8)
        memmove(p + at, p, 8 - at + (at == 6)); //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned at) {
    char *p = calloc(8, 1);
    if (at <= 8) {
        memmove(p + at, p, 8 - at);
        memmove(p, p + at, 8 - at);
        memmove(p, p, 8);
    }
    free(p);
    return 0;
}

int pair(int faulty, unsigned at) { return faulty ? bad(at) : good(at); }
