#include <string.h>

#include "library.h"

ONLY_WITH_LIBRARY(strlcat)

size_t strlcpy(char *restrict to, const char *restrict from, size_t n);

size_t strlcat(char *restrict to, const char *restrict from, size_t n) {
    size_t length = strnlen(to, n);
    return length + strlcpy(to + length, from, n - length);
}
