#include <wchar.h>

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict s, size_t n, mbstate_t *restrict state) {
    static mbstate_t own;
    const char *from = *s;
    mbstate_t now = state ? *state : own;
    size_t i = 0, length = 1;
    for (; length && (!to || i < n); i += length != 0, from += length) {
        wchar_t c;
        /* More bytes than a character has, but none after the end of the string is read: it is within no character. */
        length = mbrtowc(&c, from, 8, &now);
        if (length == (size_t)-1)
            break;
        if (to)
            to[i] = c;
    }
    if (to) {
        *s = length ? from : NULL;
        *(state ? state : &own) = now;
    }
    return length == (size_t)-1 ? length : i;
}
