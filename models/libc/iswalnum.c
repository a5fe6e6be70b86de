#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswalnum(wint_t c) LIBRARY(iswalnum);

int iswalnum(wint_t c) {
    BEYOND_ASCII(iswalnum, c, 0x420040000000000, 0xff7fffffff7fffff);
    return IS_ALPHA(c) | IS_DIGIT(c);
}
