#include <string.h>

/* The end is looked for in `t`, which is more often the constant one. */
int strcmp(const char *s, const char *t) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t;
    while (*a == *b && *b)
        a++, b++;
    return *a - *b;
}
