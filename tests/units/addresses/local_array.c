// tine-test: fn=local_array
// Every call has an array of its own.
#include <tine.h>

static int of_its_own(unsigned i, int depth) {
    int a[4] = {0};
    a[i & 3] = depth;
    if (depth > 0)
        of_its_own(i + 1, depth - 1);
    return a[i & 3] * 10 + a[(i + 1) & 3];
}

int local_array(unsigned i, unsigned j) {
    int a[3] = {4, 5, 6};
    a[i % 3] = of_its_own(j, 2);
    tine_assert(a[i % 3] == 20);
    if (a[1] + a[2] == 25)                          //~ COVERED
        tine_assert(i % 3 != 2);                    //~ ERROR assertion failure
    return 0;
}
