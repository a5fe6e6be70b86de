#include <wchar.h>

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict s, size_t characters, size_t n, mbstate_t *restrict state) {
    const wchar_t *from = *s;
    size_t done = 0;
    for (; characters && (!to || done < n); from++, characters--) {
        char bytes[8];
        size_t length = wcrtomb(bytes, *from, state);
        if (length == (size_t)-1) {
            done = length;
            break;
        }
        if (to && length > n - done)
            break;
        for (size_t k = 0; to && k < length; k++)
            to[done + k] = bytes[k];
        if (!*from) {
            from = NULL;
            break;
        }
        done += length;
    }
    if (to)
        *s = from;
    return done;
}
