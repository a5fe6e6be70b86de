#include <wctype.h>

#include "class.h"
#include "utf8.h"

int iswblank(wint_t c) { return (c == ' ') | (c == '\t') | is_utf8() & IS_WIDE_BLANK(c); }
