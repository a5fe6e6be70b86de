#include <wctype.h>

#include "class.h"

int iswlower(wint_t c) { return IS_LOWER(c); }
