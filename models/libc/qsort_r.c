#include "merge.h"

void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
    sort(base, n, size, compare, argument);
}
