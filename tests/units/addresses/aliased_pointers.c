// tine-test: fn=aliased_pointers verdict=bounded
// LCT, section 3.3: do `p` and `q` point to the same?
#include <tine.h>

int aliased_pointers(unsigned i, unsigned j) {
    int a[4];
    int *p = &a[i & 3], *q = &a[j & 3];
    *p = 0;
    *q = 1;
    if (*p == 1)                            //~ COVERED
        tine_assert(p != q);                //~ ERROR assertion failure
    else
        tine_assert(p != q);
    return 0;
}
