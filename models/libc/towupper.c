#include <wctype.h>

#include "class.h"
#include "utf8.h"

wint_t library_towupper(wint_t c) LIBRARY(towupper);

wint_t towupper(wint_t c) {
    BEYOND_ASCII(towupper, c);
    return UPPER(c);
}
