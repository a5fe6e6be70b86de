#include <stdlib.h>
#include <wchar.h>

size_t mbstowcs(wchar_t *restrict to, const char *restrict s, size_t n) {
    size_t i = 0;
    for (; !to || i < n; i++) {
        wchar_t c;
        size_t length = mbrtowc(&c, s + i, 1, NULL);
        if (length == (size_t)-1)
            return length;
        if (to)
            to[i] = c;
        if (length == 0)
            break;
    }
    return i;
}
