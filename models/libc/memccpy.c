#include <string.h>

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n) {
    unsigned char *a = to;
    const unsigned char *b = from;
    for (size_t i = 0; i < n; i++) {
        a[i] = b[i];
        if (b[i] == (unsigned char)byte)
            return a + i + 1;
    }
    return NULL;
}
