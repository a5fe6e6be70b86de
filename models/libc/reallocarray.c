#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

void *reallocarray(void *memory, size_t n, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, all);
}
