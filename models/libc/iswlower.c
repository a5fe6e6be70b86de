#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswlower(wint_t c) LIBRARY(iswlower);

int iswlower(wint_t c) {
    BEYOND_ASCII(iswlower, c);
    return IS_LOWER(c);
}
