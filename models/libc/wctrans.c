#include <string.h>
#include <wctype.h>

#include "library.h"

wctrans_t library_wctrans(const char *name) LIBRARY(wctrans);

wctrans_t wctrans(const char *name) {
    if (strcmp(name, "tolower") == 0)
        return library_wctrans("tolower");
    return strcmp(name, "toupper") == 0 ? library_wctrans("toupper") : 0;
}
