#include <wctype.h>

#include "class.h"

wint_t towupper(wint_t c) { return UPPER(c); }
