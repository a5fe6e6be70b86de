#include <strings.h>

#include "class.h"

/* In the C locale. */
int strcasecmp(const char *s, const char *t) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t;
    while (LOWER(*a) == LOWER(*b) && *b)
        a++, b++;
    return LOWER(*a) - LOWER(*b);
}
