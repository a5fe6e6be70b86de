/* Allocation: with a concrete size the models behave like the library. */
#include <malloc.h>

#include "compare.h"

void *model_malloc(size_t);
void *model_calloc(size_t, size_t);
void *model_realloc(void *, size_t);
void *model_reallocarray(void *, size_t, size_t);
void *model_aligned_alloc(size_t, size_t);
void *model_memalign(size_t, size_t);
int model_posix_memalign(void **, size_t, size_t);

/* The result of `posix_memalign`; NULL on failure. */
static unsigned char *given(int failed, void *memory) { return failed ? NULL : memory; }

/* Allocates this many bytes with increasing values. */
static unsigned char *counted(size_t n) {
    unsigned char *memory = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        memory[i] = (unsigned char)i;
    return memory;
}

/* Number of preserved values; frees the memory. */
static int left(unsigned char *memory, size_t n) {
    int sum = memory != NULL;
    for (size_t i = 0; memory && i < n; i++)
        sum += memory[i] == (unsigned char)i;
    free(memory);
    return sum;
}

/* The runtime's part, without exploration. */
unsigned __tine_depends(const void *address, unsigned long size) { return 0; }
void __tine_sized(void *object, const unsigned long *size) {}
void __tine_unset(void *object, unsigned long size) {}
unsigned long __tine_room(const void *object, unsigned long n, unsigned long size) { return n; }
unsigned __tine_freeing(void *const *pointer) { return 0; }
unsigned long __tine_plain(unsigned long value) { return value; }

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
    COMPARE(realloc, (n = below(200), m = 1 + below(200)), left(model_realloc(counted(n), m), n < m ? n : m),
            left(realloc(counted(n), m), n < m ? n : m));
    COMPARE(reallocarray, (n = below(20), m = 1 + below(20)), left(model_reallocarray(NULL, n + 1, m), 0),
            left(reallocarray(NULL, n + 1, m), 0));
    COMPARE(reallocarray, n = (size_t)-1 >> below(3), left(model_reallocarray(NULL, n, 16), 0),
            left(reallocarray(NULL, n, 16), 0));
    COMPARE(aligned_alloc, (n = below(200), m = 1ul << below(8)), works(model_aligned_alloc(m, n), n, 0),
            works(aligned_alloc(m, n), n, 0));
    COMPARE(memalign, (n = below(200), m = 1ul << below(8)), works(model_memalign(m, n), n, 0),
            works(memalign(m, n), n, 0));
    void *memory = NULL;
    COMPARE(posix_memalign, (n = below(200), m = 1ul << (2 + below(8))),
            works(given(model_posix_memalign(&memory, m, n), memory), n, 0),
            works(given(posix_memalign(&memory, m, n), memory), n, 0));
    COMPARE(calloc, n = (size_t)-1 >> below(3), works(model_calloc(n, 16), 0, 1), works(calloc(n, 16), 0, 1));
}
