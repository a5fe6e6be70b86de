#include <string.h>

#include "library.h"

ONLY_WITH_LIBRARY(strlcpy)

size_t strlcpy(char *restrict to, const char *restrict from, size_t n) {
    size_t length = strlen(from);
    if (n > 0) {
        size_t kept = length < n ? length : n - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return length;
}
