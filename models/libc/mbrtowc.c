#include <errno.h>
#include <wchar.h>

#include "utf8.h"

static size_t is_wrong(void) {
    errno = EILSEQ;
    return (size_t)-1;
}

/* Length of a character with this first byte; 0 if it starts none. */
static int length_of(unsigned char first) {
    if ((first < 0xc2) | (first > 0xfd))
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : first < 0xfc ? 5 : 6;
}

/* UTF-8 as in the library: overlong characters and halves of UTF-16 pairs are reported at their end. The state has the
 * library's format: total and current number of bytes, and their bits in place. Invalid characters do not change it. */
static size_t from_utf8(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
    int length = state->__count >> 8, have = state->__count & 255;
    unsigned c = have ? state->__value.__wch : 0;
    size_t used = 0;
    if (n == 0)
        return (size_t)-2;
    if (!have) {
        unsigned char first = *s;
        if (first < 128) {
            if (to)
                *to = first;
            return first ? 1 : 0;
        }
        length = length_of(first);
        if (!length)
            return is_wrong();
        c = (first & (127 >> length)) << 6 * (length - 1);
        have = used = 1;
    }
    for (; have < length && used < n; have++, used++) {
        unsigned char next = s[used];
        if ((next & 0xc0) != 0x80)
            return is_wrong();
        c |= (next & 63u) << 6 * (length - have - 1);
    }
    if (have < length) {
        state->__count = length << 8 | have;
        state->__value.__wch = c;
        return (size_t)-2;
    }
    if (length > 2 && (c >> (5 * length - 4) == 0) | (c - 0xd800 < 0x800))
        return is_wrong();
    if (to)
        *to = c;
    state->__count = 0;
    return used;
}

/* In the C locale a character is a byte below 128. */
size_t mbrtowc(wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state) {
    if (is_utf8()) {
        static mbstate_t own;
        return s ? from_utf8(to, s, n, state ? state : &own) : from_utf8(NULL, "", 1, state ? state : &own);
    }
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
    /* A decision, because lengths must not depend on inputs. */
    return c ? 1 : 0;
}
