// tine-test: fn=f check=+leak
// At `exit` the frames are still there, and with them their pointers.
#include <stdlib.h>

static int check(const int *p) {
    if (*p == 12)
        exit(3);
    return *p;
}

int f(int k) {
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = k;
    int r = check(p);
    free(p);
    return r > 0;
}
