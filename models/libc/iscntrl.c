#include <ctype.h>

#include "class.h"

int iscntrl(int c) { return (IN(c, 0, 31) | c == 127) << 1; }
