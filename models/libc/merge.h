/* Sorting by merging. */
#include <stdlib.h>

#include "failing.h"

/* Merge sort, like the library: equal elements keep their order. */
static void merge_sort(char *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                       void *argument, char *buffer) {
    if (n <= 1)
        return;
    size_t n_left = n / 2, n_right = n - n_left;
    char *left = base, *right = base + n_left * size, *to = buffer;
    merge_sort(left, n_left, size, compare, argument, buffer);
    merge_sort(right, n_right, size, compare, argument, buffer);
    while (n_left > 0 && n_right > 0) {
        if (compare(left, right, argument) <= 0) {
            __builtin_memcpy(to, left, size);
            left += size, n_left--;
        } else {
            __builtin_memcpy(to, right, size);
            right += size, n_right--;
        }
        to += size;
    }
    /* The remaining elements of the right half are already in place. */
    __builtin_memcpy(to, left, n_left * size);
    __builtin_memcpy(base, buffer, (n - n_right) * size);
}

static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
    if (n <= 1 || size == 0)
        return;
    char *buffer = own_malloc(n * size);
    if (!buffer)
        __builtin_trap();
    merge_sort(base, n, size, compare, argument, buffer);
    free(buffer);
}
