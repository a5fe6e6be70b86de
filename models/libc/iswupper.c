#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswupper(wint_t c) LIBRARY(iswupper);

int iswupper(wint_t c) {
    BEYOND_ASCII(iswupper, c, 0x0, 0x7f7fffff);
    return IS_UPPER(c);
}
