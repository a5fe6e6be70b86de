#include <wchar.h>

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
    size_t n = wcslen(part);
    for (;; s++) {
        if (wcsncmp(s, part, n) == 0)
            return (wchar_t *)s;
        if (!*s)
            return NULL;
    }
}
