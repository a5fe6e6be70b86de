#include <wctype.h>

#include "class.h"

int iswprint(wint_t c) { return IN(c, ' ', '~'); }
