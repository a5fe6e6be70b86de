#include <string.h>

void *rawmemchr(const void *s, int byte) {
    const unsigned char *a = s;
    while (*a != (unsigned char)byte)
        a++;
    return (void *)a;
}
