// tine-test: fn=match max-string=4 input=ab
// A string of exactly the right length.
#include <stdlib.h>

void match(const char *s) {
    if (s && s[0] == 'a' && s[1] == 'b' && s[2] == 0)   //~ COVERED
        abort();                                        //~ ERROR abort
}
