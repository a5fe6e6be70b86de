// tine-test: fn=tail max-string=3 input="a = b + 1"
// A string that begins inside another.
#include <stdlib.h>

void tail(const char *a, const char *b) {
    if (a && b && a == b + 1 && a[0] == 'x')    //~ COVERED
        abort();                                //~ ERROR abort
}
