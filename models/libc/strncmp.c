#include <string.h>

/* The end is looked for in `t`, which is more often the constant one. */
int strncmp(const char *s, const char *t, size_t n) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !b[i])
            return a[i] - b[i];
    return 0;
}
