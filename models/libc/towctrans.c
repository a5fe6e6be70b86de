#include <wctype.h>

#include "library.h"

wctrans_t library_wctrans(const char *name) LIBRARY(wctrans);

wint_t towctrans(wint_t c, wctrans_t mapping) {
    if (!mapping)
        return c;
    return mapping == library_wctrans("tolower") ? towlower(c) : towupper(c);
}
