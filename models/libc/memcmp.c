#include <string.h>

/* One expression: the first difference, computed from the end. All bytes may be read, whatever their values. */
int memcmp(const void *s, const void *t, size_t n) {
    const unsigned char *a = s, *b = t;
    int result = 0;
    for (size_t i = n; i-- > 0;) {
        int difference = a[i] - b[i];
        int same = -(difference == 0);
        result = (result & same) | difference;
    }
    return result;
}
