// tine-test: fn=callback_result verdict=incomplete reason="caller of difference"
// What a callback returns to code without instrumentation decides there, unseen.
#include <stdlib.h>
#include <tine.h>

/* The library's own, not the model. */
void *search(const void *, const void *, size_t, size_t, int (*)(const void *, const void *)) __asm__("\01bsearch");

static int difference(const void *key, const void *element) {
    return *(const signed char *)key - *(const signed char *)element;
}

int callback_result(signed char key) {
    static const signed char table[3] = {-20, 3, 50};
    const signed char *found = search(&key, table, 3, 1, difference);
    return found ? *found : 0;
}
