#include <wctype.h>

#include "class.h"
#include "utf8.h"

int library_iswgraph(wint_t c) LIBRARY(iswgraph);

int iswgraph(wint_t c) {
    BEYOND_ASCII(iswgraph, c, 0xffffffff00000000, 0xffffffffffffffff);
    return IS_GRAPH(c);
}
