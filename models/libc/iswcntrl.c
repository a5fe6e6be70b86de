#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswcntrl(wint_t c) LIBRARY(iswcntrl);

int iswcntrl(wint_t c) {
    BEYOND_ASCII(iswcntrl, c);
    return (c < 32) | (c == 127);
}
