// tine-test: fn=pair
// CWE-467: the size of the pointer instead of the size of what it points to.
#include <stdlib.h>

struct point {
    long x, y, z;
};

int bad(int k) {
    struct point *p = malloc(sizeof p);
    if (k == 9)
        p->z = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(int k) {
    struct point *p = malloc(sizeof *p);
    if (k == 9)
        p->z = 1;
    free(p);
    struct point **list = malloc(3 * sizeof *list); /* here the size of a pointer is right */
    list[2] = 0;
    free(list);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
