#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswblank(wint_t c) LIBRARY(iswblank);

int iswblank(wint_t c) {
    BEYOND_ASCII(iswblank, c);
    return (c == ' ') | (c == '\t');
}
