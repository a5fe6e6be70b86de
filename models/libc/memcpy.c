#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    unsigned char *a = to;
    const unsigned char *b = from;
    for (size_t i = 0; i < n; i++)
        a[i] = b[i];
    return to;
}
