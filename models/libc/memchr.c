#include <string.h>

void *memchr(const void *s, int byte, size_t n) {
    const unsigned char *a = s;
    for (size_t i = 0; i < n; i++)
        if (a[i] == (unsigned char)byte)
            return (void *)(a + i);
    return NULL;
}
