// tine-test: fn=pair
// CWE-416: memory of `mmap` needs no heap block; after `munmap` it is gone.
#include <sys/mman.h>

int bad(int k) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    p[4095] = 1;
    munmap(p, 4096);
    return k == 9 ? p[4095] : 0; //~ ERROR invalid memory access
}

int good(int k) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    p[4095] = 1;
    int r = k == 9 ? p[4095] + p[0] : 0; /* the rest is zero */
    munmap(p, 4096);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
