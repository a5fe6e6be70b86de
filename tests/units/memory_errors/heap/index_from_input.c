// tine-test: fn=pair
// CWE-122: an index that is an input. The twin takes indices from both ends of its range.
#include <stdlib.h>

int bad(unsigned i) {
    int *p = calloc(10, sizeof *p);
    if (i <= 10)
        p[i] = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(int i) {
    int *p = calloc(10, sizeof *p), *middle = p + 5;
    int r = 0;
    if (i >= -5 && i < 5)
        r = middle[i];
    free(p);
    return r;
}

int pair(int faulty, int i) { return faulty ? bad(i) : good(i); }
