// Has its own allocator.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "tine_interface.h"

static char pool[1 << 20];
static size_t used;

void *malloc(size_t size) {
    used += 16;
    void *block = pool + used;
    used += (size + 15) / 16 * 16;
    return used <= sizeof pool ? block : NULL;
}
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *block, size_t size) { return block ? memcpy(malloc(size), block, size) : malloc(size); }

int main(void) {
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    char *block = malloc(100);
    printf("%d at %td\n", k, block - pool);
    return 0;
}
