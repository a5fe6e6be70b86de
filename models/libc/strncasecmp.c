#include <strings.h>

#include "class.h"

/* In the C locale. */
int strncasecmp(const char *s, const char *t, size_t n) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t;
    for (size_t i = 0; i < n; i++)
        if (LOWER(a[i]) != LOWER(b[i]) || !b[i])
            return LOWER(a[i]) - LOWER(b[i]);
    return 0;
}
