#include <string.h>

void *memrchr(const void *s, int byte, size_t n) {
    const unsigned char *a = s;
    while (n--)
        if (a[n] == (unsigned char)byte)
            return (void *)(a + n);
    return NULL;
}
