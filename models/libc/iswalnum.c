#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswalnum(wint_t c) LIBRARY(iswalnum);

int iswalnum(wint_t c) {
    BEYOND_ASCII(iswalnum, c);
    return IS_ALPHA(c) | IS_DIGIT(c);
}
