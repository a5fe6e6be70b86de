#include <wchar.h>

size_t wcsrtombs(char *restrict to, const wchar_t **restrict s, size_t n, mbstate_t *restrict state) {
    size_t i = 0;
    for (; !to || i < n; i++) {
        char c;
        if (wcrtomb(&c, (*s)[i], NULL) == (size_t)-1) {
            if (to)
                *s += i;
            return (size_t)-1;
        }
        if (to)
            to[i] = c;
        if ((*s)[i] == 0) {
            if (to)
                *s = NULL;
            return i;
        }
    }
    *s += i;
    return i;
}
