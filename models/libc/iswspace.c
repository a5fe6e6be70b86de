#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswspace(wint_t c) LIBRARY(iswspace);

int iswspace(wint_t c) {
    BEYOND_ASCII(iswspace, c);
    return IS_SPACE(c);
}
