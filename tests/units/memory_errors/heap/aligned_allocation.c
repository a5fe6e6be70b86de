// tine-test: fn=pair
// CWE-122: the size of an aligned block is its size, not the next multiple of the alignment.
#include <stdint.h>
#include <stdlib.h>

int bad(unsigned i) {
    char *p;
    if (posix_memalign((void **)&p, 64, 40))
        return 0;
    if (i < 64 && i >= 39)
        p[i] = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned i) {
    char *p;
    if (posix_memalign((void **)&p, 64, 40))
        return 0;
    char *q = aligned_alloc(32, 64);
    if (i < 40)
        p[i] = q[i + 24] = 1;
    int odd = ((uintptr_t)p & 63) != 0 || ((uintptr_t)q & 31) != 0;
    free(p);
    free(q);
    return odd;
}

int pair(int faulty, unsigned i) { return faulty ? bad(i) : good(i); }
