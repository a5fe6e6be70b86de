#include <wctype.h>

#include "class.h"

int iswcntrl(wint_t c) { return (c < 32) | (c == 127); }
