#include <ctype.h>

#include "class.h"

int isprint(int c) { return (IN(c, ' ', '~')) << 14; }
