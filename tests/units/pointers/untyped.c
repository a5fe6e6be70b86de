// tine-test: fn=untyped input="q = p"
// Memory without a type may be what a typed pointer points to.
#include <stdlib.h>

void untyped(void *p, int *q) {
    if (!p || !q)                       //~ COVERED
        return;
    *(int *)p = 1;
    *q = 2;
    if (*(int *)p == 2)                 //~ COVERED
        abort();                        //~ ERROR abort
}
