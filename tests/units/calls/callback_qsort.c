// tine-test: fn=callback_qsort paths=3
// Code without instrumentation calls back; the comparison looks at an input.
#include <stdlib.h>
#include <tine.h>

/* The library's own, not the model. */
void sort(void *, size_t, size_t, int (*)(const void *, const void *)) __asm__("\01qsort");

static int descending;

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (descending > 9)                     //~ COVERED
        return (y > x) - (y < x);
    return (x > y) - (x < y);
}

int callback_qsort(int order) {
    int v[4] = {3, 1, 4, 2};
    descending = order;
    sort(v, 4, sizeof *v, compare);
    if (v[0] == 4)                          //~ COVERED
        tine_assert(order != 1000);         //~ ERROR assertion failure
    return v[0];
}
