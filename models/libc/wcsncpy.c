#include <wchar.h>

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}
