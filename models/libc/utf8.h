/* The locale is "C" or "C.UTF-8" (`setlocale.c`), for the library and for its models alike: what has no model agrees. */
#include <stddef.h>

#include "library.h"

size_t library_longest(void) LIBRARY(__ctype_get_mb_cur_max);

/* Whether characters have several bytes. The library takes UTF-8 as it was first defined, with up to six; no other encoding has as many. */
static inline int is_utf8(void) { return library_longest() == 6; }

/* What a character beyond ASCII is: those below 256 are bits of two words, as one expression; of the
 * others the library knows. */
#define BEYOND_ASCII(name, c, low, high)                                                                               \
    if (is_utf8() && (c) >= 128)                                                                                       \
        return (c) < 256 ? bit_of(c, low, high) : library_##name(c)

static inline int bit_of(unsigned c, unsigned long low, unsigned long high) {
    unsigned long second = c >> 6 & 1;
    return (low >> (c & 63) & ~second | high >> (c & 63) & second) & 1;
}
