/* String comparison without a decision for each byte. The first difference is one expression over all readable bytes,
 * also those after the current difference. So equality is one decision away, for strings of any length. */
#include <stddef.h>

#include "class.h"

unsigned __tine_depends(const void *at, unsigned long size);

/* See `tine_trace::entry::INTERFACE`. */
struct comparison {
    unsigned long first, end;
    unsigned is_decided;
};
void __tine_compare(const void *s, const void *t, unsigned long n, unsigned folded, struct comparison *);

#define LETTER(c) (folded ? LOWER(c) : (c))

/* Byte by byte. The end is searched in `b`, which is more often constant. */
static inline int compare_bytes(const unsigned char *a, const unsigned char *b, size_t n, unsigned folded) {
    for (size_t i = 0; i < n; i++) {
        int x = LETTER(a[i]), y = LETTER(b[i]);
        if (x != y || y == 0)
            return x - y;
    }
    return 0;
}

/* Compares at most `n` bytes; if `folded`, ignoring case in the C locale. */
static inline int compare(const char *s, const char *t, size_t n, unsigned folded) {
    const unsigned char *a = (const unsigned char *)s, *b = (const unsigned char *)t;
    /* The readable length must not depend on inputs. */
    if (__tine_depends(&a, sizeof a) || __tine_depends(&b, sizeof b) || __tine_depends(&n, sizeof n))
        return compare_bytes(a, b, n, folded);
    while (n > 0) {
        struct comparison part = {0, 0, 0};
        __tine_compare(a, b, n, folded, &part);
        int result = 0, ends = 0;
        for (size_t i = part.end; i-- > part.first;) {
            int x = LETTER(a[i]), y = LETTER(b[i]);
            int goes_on = (x == y) & (y != 0);
            result = (result & -goes_on) | (x - y);
            ends |= !goes_on;
        }
        if (part.is_decided || part.end == n || ends)
            return result;
        a += part.end, b += part.end, n -= part.end;
    }
    return 0;
}
