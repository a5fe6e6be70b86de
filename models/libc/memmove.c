#include <string.h>

void *memmove(void *to, const void *from, size_t n) {
    unsigned char *a = to;
    const unsigned char *b = from;
    if (a <= b) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i];
    } else {
        while (n--)
            a[n] = b[n];
    }
    return to;
}
