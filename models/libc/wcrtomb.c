#include <errno.h>
#include <wchar.h>

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state) {
    if (!to)
        return 1;
    if ((unsigned)c >= 128) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *to = (char)c;
    return 1;
}
