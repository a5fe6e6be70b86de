#include <string.h>

size_t strnlen(const char *s, size_t n) {
    size_t length = 0;
    while (length < n && s[length])
        length++;
    return length;
}
