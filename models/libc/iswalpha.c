#include <wctype.h>

#include "class.h"

int iswalpha(wint_t c) { return IS_ALPHA(c); }
