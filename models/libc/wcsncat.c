#include <wchar.h>

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict s, size_t n) {
    wchar_t *at = to + wcslen(to);
    for (; n && *s; n--)
        *at++ = *s++;
    *at = 0;
    return to;
}
