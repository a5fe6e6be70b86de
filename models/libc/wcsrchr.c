#include <wchar.h>

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    const wchar_t *last = NULL;
    do
        if (*s == c)
            last = s;
    while (*s++);
    return (wchar_t *)last;
}
