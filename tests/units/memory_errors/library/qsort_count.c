// tine-test: fn=pair
// CWE-805: the number of elements is one too high for `qsort`.
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const unsigned char *x = a, *y = b;
    return *x - *y; //~ ERROR out-of-bounds read
}

int bad(unsigned char x) {
    unsigned char *a = malloc(3);
    a[0] = x;
    a[1] = 5;
    a[2] = 1;
    qsort(a, x == 200 ? 4 : 3, 1, compare);
    free(a);
    return 0;
}

int good(unsigned char x) {
    unsigned char *a = malloc(3);
    a[0] = x;
    a[1] = 5;
    a[2] = 1;
    qsort(a, 3, 1, compare);
    qsort(a + 3, 0, 1, compare);
    free(a);
    return 0;
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
