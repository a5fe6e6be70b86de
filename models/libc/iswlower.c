#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswlower(wint_t c) LIBRARY(iswlower);

int iswlower(wint_t c) {
    BEYOND_ASCII(iswlower, c, 0x420040000000000, 0xff7fffff80000000);
    return IS_LOWER(c);
}
