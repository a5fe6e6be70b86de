#include <errno.h>
#include <wchar.h>

#include "utf8.h"

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state) {
    if (!to)
        return 1;
    if (is_utf8() && (unsigned)c >= 128 && (c >= 0) & ((unsigned)c - 0xd800 >= 0x800)) {
        int length = 2;
        while (length < 6 && c >> (5 * length + 1))
            length++;
        for (int k = length - 1; k > 0; k--, c >>= 6)
            to[k] = 0x80 | (c & 63);
        to[0] = (char)(0xff00 >> length) | (char)c;
        return length;
    }
    if ((unsigned)c >= 128) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *to = (char)c;
    return 1;
}
