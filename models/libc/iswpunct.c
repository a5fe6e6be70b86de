#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswpunct(wint_t c) LIBRARY(iswpunct);

int iswpunct(wint_t c) {
    BEYOND_ASCII(iswpunct, c, 0xfbdffbff00000000, 0x80000000800000);
    return IS_GRAPH(c) & !(IS_ALPHA(c) | IS_DIGIT(c));
}
