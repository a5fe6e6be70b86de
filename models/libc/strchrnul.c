#include <string.h>

char *strchrnul(const char *s, int byte) {
    while (*s != (char)byte && *s)
        s++;
    return (char *)s;
}
