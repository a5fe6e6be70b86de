// tine-test: fn=pair
// CWE-457: a sum of defined and undefined bytes decides a branch. The twin discards the undefined ones.
#include <stdlib.h>

int bad(int k) {
    unsigned char *p = malloc(2);
    p[0] = (unsigned char)k;
    unsigned x = p[0] + p[1] * 256u;
    free(p);
    if (x == 77) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    unsigned char *p = malloc(2);
    p[0] = (unsigned char)k;
    unsigned x = p[0] + p[1] * 256u;
    free(p);
    if ((x & 255) == 77)
        return 1;
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
