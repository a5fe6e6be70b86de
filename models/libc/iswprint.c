#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswprint(wint_t c) LIBRARY(iswprint);

int iswprint(wint_t c) {
    BEYOND_ASCII(iswprint, c, 0xffffffff00000000, 0xffffffffffffffff);
    return IN(c, ' ', '~');
}
