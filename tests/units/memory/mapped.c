// tine-test: fn=mapped
// Memory from mmap is memory.
#include <sys/mman.h>
#include <tine.h>

int mapped(int x) {
    int *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    p[1024] = x;
    tine_assert(p[1024] != 777);                //~ ERROR assertion failure
    munmap(p, 8192);
    return 0;
}
