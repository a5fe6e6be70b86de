// tine-test: fn=pointers_subtracted
// The distance between two pointers.
#include <stddef.h>
#include <tine.h>

struct item {
    char name[5];
    short value;
};

int pointers_subtracted(unsigned i, unsigned j) {
    static struct item a[6];
    struct item *p = &a[i % 6], *q = &a[j % 6];
    ptrdiff_t d = q - p;
    if (d == -4)                                                //~ COVERED
        tine_assert(i % 6 != 5);                                //~ ERROR assertion failure
    tine_assert(d > -6 && d < 6);
    tine_assert(p + d == q);
    if (d == 3 && j % 6 < 3)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
