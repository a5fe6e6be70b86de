// tine-test: fn=histogram verdict=incomplete reason="overlap"
// The bytes of `source` may lie in `count`. Their number is not that of the elements of `count`.
#include <string.h>
int histogram(unsigned *count, const void *source, unsigned long sourceSize) {
    const unsigned char *s = source, *end = s + sourceSize;
    memset(count, 0, 4 * sizeof *count); //~ REQUIRES count != NULL
    while (s < end)
        count[*s++ & 3]++; //~ REQUIRES source != NULL
    return count[2];
}
