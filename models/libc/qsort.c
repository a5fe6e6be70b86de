#include "merge.h"

typedef int comparison(const void *, const void *);

static int without_argument(const void *a, const void *b, void *compare) {
    return (*(comparison **)compare)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    sort(base, n, size, without_argument, &compare);
}
