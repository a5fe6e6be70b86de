#include <string.h>

#include "set.h"

size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !is_among(s[n], set))
        n++;
    return n;
}
