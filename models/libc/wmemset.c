#include <wchar.h>

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}
