#include <string.h>

#include "set.h"

size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (is_among(s[n], set))
        n++;
    return n;
}
