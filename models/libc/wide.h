/* Classes of wide characters by name. Their numbers are the library's, which has its own functions for them. */
#include <wctype.h>

#include "library.h"

wctype_t library_wctype(const char *name) LIBRARY(wctype);

static const struct {
    const char *name;
    int (*contains)(wint_t);
} CLASSES[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank}, {"cntrl", iswcntrl},
    {"digit", iswdigit}, {"graph", iswgraph}, {"lower", iswlower}, {"print", iswprint},
    {"punct", iswpunct}, {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};
