#include <wctype.h>

#include "class.h"

int iswupper(wint_t c) { return IS_UPPER(c); }
