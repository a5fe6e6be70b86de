#include <stdlib.h>
#include <wchar.h>

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
    if (!s)
        return 0;
    /* The library looks at the first byte whatever `n` is. */
    if (!*s) {
        if (to)
            *to = 0;
        return 0;
    }
    return n ? (int)mbrtowc(to, s, n, NULL) : -1;
}
