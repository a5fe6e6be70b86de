// tine-test: fn=copy len="dst=m src=n" max-elements=2 verdict=incomplete reason="overlap"
// An object that two pointers with lengths lead to is long enough for both.
#include <stddef.h>

size_t copy(unsigned char *dst, size_t m, const unsigned char *src, size_t n) {
    size_t k = 0;
    if (!dst || !src)
        return 0;
    while (n--) {
        if (*src == '"')
            k++;
        if (k < m)
            dst[k++] = *src;
        src++;
    }
    return k;
}
