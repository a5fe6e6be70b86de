#include <wchar.h>

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict s, size_t n, mbstate_t *restrict state) {
    size_t i = 0;
    for (; !to || i < n; i++) {
        wchar_t c;
        size_t length = mbrtowc(&c, *s + i, 1, NULL);
        if (length == (size_t)-1) {
            if (to)
                *s += i;
            return length;
        }
        if (to)
            to[i] = c;
        if (length == 0) {
            if (to)
                *s = NULL;
            return i;
        }
    }
    *s += i;
    return i;
}
