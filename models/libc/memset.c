#include <string.h>

void *memset(void *to, int byte, size_t n) {
    unsigned char *a = to;
    for (size_t i = 0; i < n; i++)
        a[i] = (unsigned char)byte;
    return to;
}
