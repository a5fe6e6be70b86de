#include <search.h>
#include <stddef.h>

void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
    const char *element = base;
    for (size_t i = 0; i < *n; i++, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return NULL;
}
