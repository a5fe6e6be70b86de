#include <wchar.h>

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    wcscpy(to + wcslen(to), from);
    return to;
}
