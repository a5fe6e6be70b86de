// tine-test: fn=outside_last_bytes unnoticed
// The last bytes of an object are too few for a word.
#include <stdlib.h>
#include <string.h>
#include <tine.h>

int outside_last_bytes(unsigned char i) {
    unsigned char *a = calloc(1, 10);
    if (!a)
        exit(0);
    tine_assume(i < 10);
    unsigned v;
    memcpy(&v, a + i, sizeof v);                                //~ ERROR out-of-bounds read
    tine_assert(i <= 6 && v == 0);
    if (i == 6)                                                 //~ COVERED
        a[9] = 1;
    free(a);
    return 0;
}
