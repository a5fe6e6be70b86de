/* Allocation: with a size that is no input the models do what the library does. */
#include "compare.h"

void *model_malloc(size_t);
void *model_calloc(size_t, size_t);

/* The runtime's side, where nothing is explored. */
unsigned __tine_depends(const void *address, unsigned long size) { return 0; }
void __tine_sized(void *object, const unsigned long *size) {}

static int works(unsigned char *memory, size_t n, int zero) {
    int sum = memory != NULL;
    for (size_t i = 0; memory && i < n; i++) {
        sum += zero ? memory[i] : 0;
        memory[i] = (unsigned char)i;
    }
    free(memory);
    return sum;
}

void compare_allocation(void) {
    const char *s = "", *t = "";
    size_t n, m;
    COMPARE(malloc, n = below(200), works(model_malloc(n), n, 0), works(malloc(n), n, 0));
    COMPARE(calloc, (n = below(20), m = below(20)), works(model_calloc(n, m), n *m, 1), works(calloc(n, m), n *m, 1));
    COMPARE(calloc, n = (size_t)-1 >> below(3), works(model_calloc(n, 16), 0, 1), works(calloc(n, 16), 0, 1));
}
