/* Sorting and searching. */
#include "compare.h"

#include <search.h>

void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *model_lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *model_lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
void *model_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));

/* Compares only the low bits, so that the order of equal elements is visible. */
static int compare(const void *a, const void *b) { return (*(const char *)a & 3) - (*(const char *)b & 3); }

static int sorted(void sort(void *, size_t, size_t, int (*)(const void *, const void *)), char *memory, size_t n,
                  size_t size) {
    sort(memory, n, size, compare);
    return 0;
}

void model_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);

static int compare_with(const void *a, const void *b, void *argument) { return compare(a, b) * *(int *)argument; }

static int sorted_with(void sort(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *), char *memory,
                       size_t n, size_t size) {
    int sign = -1;
    sort(memory, n, size, compare_with, &sign);
    return 0;
}

#define SET n = below(SIZE), size = 1 + below(3), c = (char)below(4)

void compare_sorting(void) {
    const char *s = "", *t = "";
    static const char table[] = {0, 0, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    size_t n, size;
    char c;
    COMPARE(qsort, SET, sorted(model_qsort, ours, n, size), sorted(qsort, theirs, n, size));
    COMPARE(qsort_r, SET, sorted_with(model_qsort_r, ours, n, size), sorted_with(qsort_r, theirs, n, size));
    COMPARE(bsearch, SET, model_bsearch(&c, table, n, 1, compare), bsearch(&c, table, n, 1, compare));
    size_t m;
    COMPARE(lfind, SET, model_lfind(&c, table, &n, 1, compare), lfind(&c, table, &n, 1, compare));
    COMPARE(lsearch, (SET, m = n), ((char *)model_lsearch(&c, ours, &n, 1, compare) - ours) * 100 + n,
            ((char *)lsearch(&c, theirs, &m, 1, compare) - theirs) * 100 + m);
}
