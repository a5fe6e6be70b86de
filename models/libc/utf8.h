/* The locale is "C" or "C.UTF-8" (`setlocale.c`), for models and for library functions without a model. */
#include <stddef.h>

#include "library.h"

size_t library_longest(void) LIBRARY(__ctype_get_mb_cur_max);

/* True for multibyte characters. The library uses original UTF-8 with up to six bytes, the longest of all encodings. */
static inline int is_utf8(void) { return library_longest() == 6; }

/* Class of a character beyond ASCII. Those below 256 are bits of two words, as one expression. The class of others is
 * left to the library. */
#define BEYOND_ASCII(name, c, low, high)                                                                               \
    if (is_utf8() && (c) >= 128)                                                                                       \
        return (c) < 256 ? bit_of(c, low, high) : library_##name(c)

static inline int bit_of(unsigned c, unsigned long low, unsigned long high) {
    unsigned long second = c >> 6 & 1;
    return (low >> (c & 63) & ~second | high >> (c & 63) & second) & 1;
}
