// tine-test: fn=copy len=dst=m len=src=n max-elements=2 verdict=incomplete reason="overlap"
// tine-test: fn=beyond len=a=n len=b=m max-elements=3 verdict=bounded reason="--max-elements" input="n = 1"
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

int beyond(int *a, unsigned n, int *b, unsigned m) {
    if (!a || !b || n != 1 || m != 1)
        return 0;
    return a[1] == b[0]; //~ ERROR array index out of bounds
}
