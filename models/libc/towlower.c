#include <wctype.h>

#include "class.h"

wint_t towlower(wint_t c) { return LOWER(c); }
