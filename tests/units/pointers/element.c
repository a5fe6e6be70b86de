// tine-test: fn=third max-elements=4 input="q = p + 2"
// One pointer is compared with another to which something is added: it leads to that element.
#include <stdlib.h>

void third(int *p, int *q) {
    if (p && q && q == p + 2) {         //~ COVERED
        *q = 5;
        if (p[2] != 5)
            abort();                    //~ UNREACHABLE
        abort();                        //~ ERROR abort
    }
}
