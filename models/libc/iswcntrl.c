#include <wctype.h>

#include "class.h"
#include "utf8.h"

int iswcntrl(wint_t c) { return (c < 32) | (c == 127) | is_utf8() & (IN(c, 0x80, 0x9f) | IN(c, 0x2028, 0x2029)); }
