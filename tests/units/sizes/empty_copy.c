// tine-test: fn=f len=src=n verdict=bounded
// tine-test: fn=g len=src=n verdict=bounded
// A copy of no bytes may begin at the end of an array.
#include <string.h>
static char out[16];
int f(const char *src, int n) {
    if (n < 1 || n > 4 || !src)
        return -1;
    int skip = src[0];
    if (skip < 0 || skip > n)
        return -1;
    memmove(out, src + skip, (size_t)(n - skip));
    return 0;
}
int g(const char *src, int n) {
    if (n < 1 || n > 4 || !src)
        return -1;
    memcpy(out, src + n, 0);
    return 0;
}
