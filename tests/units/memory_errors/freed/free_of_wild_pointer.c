// tine-test: fn=pair
// CWE-590: a number is freed as if it were a pointer. The twin hides a flag in the lowest bit and takes it out.
#include <stdint.h>
#include <stdlib.h>

int bad(int k) {
    uintptr_t p = (uintptr_t)malloc(8);
    if (k == 19)
        p |= 1;
    free((void *)p); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    uintptr_t p = (uintptr_t)malloc(8);
    if (k == 19)
        p |= 1;
    int flag = p & 1;
    free((void *)(p & ~(uintptr_t)1));
    return flag;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
