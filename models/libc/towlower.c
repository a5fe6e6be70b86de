#include <wctype.h>

#include "class.h"
#include "utf8.h"

wint_t library_towlower(wint_t c) LIBRARY(towlower);

wint_t towlower(wint_t c) {
    if (!is_utf8() || c < 128)
        return LOWER(c);
    if (c >= 256)
        return library_towlower(c);
    return c + ((IN(c, 0xc0, 0xde) & (c != 0xd7)) << 5);
}
