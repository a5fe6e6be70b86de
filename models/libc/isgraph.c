#include <ctype.h>

#include "class.h"

int isgraph(int c) { return (IS_GRAPH(c)) << 15; }
