#include <wctype.h>

#include "class.h"

int iswalnum(wint_t c) { return IS_ALPHA(c) | IS_DIGIT(c); }
