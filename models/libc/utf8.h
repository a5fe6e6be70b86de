/* The locale is "C" or "C.UTF-8" (`setlocale.c`), for the library and for its models alike: what has no model agrees. */
#include <stddef.h>

#include "library.h"

size_t library_longest(void) LIBRARY(__ctype_get_mb_cur_max);

/* Whether characters have several bytes. The library takes UTF-8 as it was first defined, with up to six; no other encoding has as many. */
static inline int is_utf8(void) { return library_longest() == 6; }

/* What a character beyond ASCII is, the library knows. */
#define BEYOND_ASCII(name, c)                                                                                          \
    if (is_utf8() && (unsigned)(c) >= 128)                                                                             \
        return library_##name(c)
