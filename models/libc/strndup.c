#include <stdlib.h>
#include <string.h>

char *strndup(const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = 0;
    return memcpy(copy, s, length);
}
