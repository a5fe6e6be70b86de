#include <wctype.h>

#include "class.h"

int iswdigit(wint_t c) { return IS_DIGIT(c); }
