#include <wctype.h>

#include "class.h"
#include "utf8.h"

int iswspace(wint_t c) { return IS_SPACE(c) | is_utf8() & (IS_WIDE_BLANK(c) | IN(c, 0x2028, 0x2029)); }
