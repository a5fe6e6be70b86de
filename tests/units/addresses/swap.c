// tine-test: fn=swap
// Two elements change places; what is in the array stays.
#include <tine.h>

int swap(unsigned i, unsigned j, int x) {
    int a[5] = {1, 2, x, 4, 5};
    i %= 5;
    j %= 5;
    int kept = a[i];
    a[i] = a[j];
    a[j] = kept;
    if (a[4] == 66)                                                     //~ COVERED
        tine_assert(x != 66);                                           //~ ERROR assertion failure
    tine_assert((unsigned)a[0] + (unsigned)a[1] + (unsigned)a[2] + (unsigned)a[3] + (unsigned)a[4] == (unsigned)x + 12u);
    return 0;
}
