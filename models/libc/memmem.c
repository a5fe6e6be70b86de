#include <string.h>

/* Makes one decision for each possible position of the needle. */
void *memmem(const void *s, size_t n, const void *needle, size_t m) {
    const char *a = s;
    for (size_t i = 0; m <= n && i <= n - m; i++)
        if (memcmp(a + i, needle, m) == 0)
            return (void *)(a + i);
    return NULL;
}
