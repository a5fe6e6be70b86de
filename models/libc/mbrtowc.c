#include <errno.h>
#include <wchar.h>

/* In the C locale a character is a byte below 128. */
size_t mbrtowc(wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state) {
    if (!s)
        return 0;
    if (n == 0)
        return (size_t)-2;
    unsigned char c = *s;
    if (c >= 128) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (to)
        *to = c;
    /* A decision: lengths must not depend on inputs. */
    return c ? 1 : 0;
}
