#include <wctype.h>

#include "class.h"

int iswxdigit(wint_t c) { return IS_DIGIT(c) | IN(c | 32, 'a', 'f'); }
