// tine-test: fn=f
// Pages from the kernel are zero, and a small allocator in them takes and gives back.
#include <stddef.h>
#include <sys/mman.h>

struct block {
    struct block *next;
    int payload;
};

int f(int k) {
    struct block *pool = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool == MAP_FAILED)
        return -1;
    struct block *list = NULL;
    for (int i = 0; i < 4; i++) {
        pool[i].next = list;
        list = &pool[i];
    }
    struct block *taken = list;
    list = list->next;
    int r = taken->payload == 0 && list->payload == 0;
    taken->payload = k;
    if (taken->payload == 8)
        r++;
    munmap(pool, 4096);
    return r;
}
