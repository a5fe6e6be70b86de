#include <wctype.h>

#include "class.h"
#include "utf8.h"

wint_t library_towupper(wint_t c) LIBRARY(towupper);

wint_t towupper(wint_t c) {
    if (!is_utf8() || c < 128)
        return UPPER(c);
    /* The upper-case forms of these two are above 256. */
    if ((c >= 256) | (c == 0xb5) | (c == 0xff))
        return library_towupper(c);
    return c - ((IN(c, 0xe0, 0xfe) & (c != 0xf7)) << 5);
}
