#include <wctype.h>

#include "class.h"

int iswblank(wint_t c) { return (c == ' ') | (c == '\t'); }
