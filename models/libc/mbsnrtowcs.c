#include <wchar.h>

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict s, size_t bytes, size_t n, mbstate_t *restrict state) {
    static mbstate_t own;
    const char *from = *s;
    mbstate_t now = state ? *state : own;
    size_t i = 0, length = 1;
    for (; length && bytes && (!to || i < n); i += length != 0, from += length, bytes -= length) {
        wchar_t c;
        length = mbrtowc(&c, from, bytes, &now);
        if (length == (size_t)-1)
            break;
        if (length == (size_t)-2) {
            from += bytes;
            break;
        }
        if (to)
            to[i] = c;
    }
    if (to) {
        *s = length ? from : NULL;
        *(state ? state : &own) = now;
    }
    return length == (size_t)-1 ? length : i;
}
