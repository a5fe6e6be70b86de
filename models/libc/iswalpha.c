#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswalpha(wint_t c) LIBRARY(iswalpha);

int iswalpha(wint_t c) {
    BEYOND_ASCII(iswalpha, c);
    return IS_ALPHA(c);
}
