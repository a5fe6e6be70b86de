#include <string.h>

/* In the C locale. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
    size_t length = strlen(from);
    if (length < n)
        memcpy(to, from, length + 1);
    else
        memcpy(to, from, n);
    return length;
}
