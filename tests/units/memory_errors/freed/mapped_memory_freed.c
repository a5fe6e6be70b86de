// tine-test: fn=pair unnoticed
// CWE-762: memory of `mmap` is given to `free`.
#include <stdlib.h>
#include <sys/mman.h>

int bad(int k) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (k == 2)
        free(p); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (k == 2)
        munmap(p, 4096);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
