#include <wctype.h>

#include "class.h"

int iswgraph(wint_t c) { return IS_GRAPH(c); }
