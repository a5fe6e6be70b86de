#include <string.h>

#include "class.h"

/* In the C locale. */
char *strcasestr(const char *s, const char *needle) {
    size_t n = strlen(s), m = strlen(needle);
    for (size_t i = 0; m <= n && i <= n - m; i++) {
        int difference = 0;
        for (size_t k = 0; k < m; k++)
            difference |= LOWER((unsigned char)s[i + k]) ^ LOWER((unsigned char)needle[k]);
        if (difference == 0)
            return (char *)(s + i);
    }
    return NULL;
}
