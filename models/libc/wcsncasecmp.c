#include <wchar.h>
#include <wctype.h>

int wcsncasecmp(const wchar_t *s, const wchar_t *t, size_t n) {
    for (; n; s++, t++, n--) {
        wint_t a = towlower((wint_t)*s), b = towlower((wint_t)*t);
        if (a != b)
            return (int)(a - b);
        if (!a)
            break;
    }
    return 0;
}
