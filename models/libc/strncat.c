#include <string.h>

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
    size_t i = 0;
    while (i < n && (end[i] = from[i]))
        i++;
    end[i] = 0;
    return to;
}
