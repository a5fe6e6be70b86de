#include <string.h>

char *strchr(const char *s, int byte) {
    for (;; s++) {
        if (*s == (char)byte)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}
