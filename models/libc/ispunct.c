#include <ctype.h>

#include "class.h"

int ispunct(int c) { return (IS_GRAPH(c) & !(IS_ALPHA(c) | IS_DIGIT(c))) << 2; }
