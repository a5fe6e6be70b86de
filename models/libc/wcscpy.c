#include <wchar.h>

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    wchar_t *at = to;
    while ((*at++ = *from++))
        ;
    return to;
}
