// tine-test: fn=two_writes_one_read
// CUTE, section 3.7: are `i` and `j` the same?
#include <tine.h>

int two_writes_one_read(unsigned i, unsigned j) {
    int a[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    i &= 7;
    j &= 7;
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 0)                          //~ COVERED
        tine_assert(i == j);                //~ ERROR assertion failure
    else
        tine_assert(i == j);
    tine_assert(a[j] == 1);
    return 0;
}
