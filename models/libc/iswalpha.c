#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswalpha(wint_t c) LIBRARY(iswalpha);

int iswalpha(wint_t c) {
    BEYOND_ASCII(iswalpha, c, 0x420040000000000, 0xff7fffffff7fffff);
    return IS_ALPHA(c);
}
