#include <wctype.h>

#include "class.h"
#include "utf8.h"

wint_t library_towlower(wint_t c) LIBRARY(towlower);

wint_t towlower(wint_t c) {
    BEYOND_ASCII(towlower, c);
    return LOWER(c);
}
