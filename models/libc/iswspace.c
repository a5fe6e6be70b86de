#include <wctype.h>

#include "class.h"

int iswspace(wint_t c) { return IS_SPACE(c); }
