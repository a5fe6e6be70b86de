// tine-test: fn=callback_bsearch paths=9
// The search runs outside, its decisions inside: every element and every gap is found.
#include <stdlib.h>
#include <tine.h>

/* The library's own, not the model. */
void *search(const void *, const void *, size_t, size_t, int (*)(const void *, const void *)) __asm__("\01bsearch");

static int compare(const void *key, const void *element) {
    int k = *(const int *)key, e = *(const int *)element;
    if (k < e)                              //~ COVERED
        return -1;
    if (k > e)                              //~ COVERED
        return 1;
    return 0;
}

int callback_bsearch(int key) {
    static const int table[4] = {-20, 3, 500, 70000};
    const int *found = search(&key, table, 4, sizeof *table, compare);
    if (found == &table[3])                 //~ COVERED
        tine_assert(key != 70000);          //~ ERROR assertion failure
    return found ? *found : 0;
}
