#include <string.h>

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    while (i < n && (to[i] = from[i]))
        i++;
    for (size_t k = i; k < n; k++)
        to[k] = 0;
    return to + i;
}
