#include <wctype.h>

#include "class.h"

int iswpunct(wint_t c) { return IS_GRAPH(c) & !(IS_ALPHA(c) | IS_DIGIT(c)); }
