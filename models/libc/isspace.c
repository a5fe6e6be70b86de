#include <ctype.h>

#include "class.h"

int isspace(int c) { return (IS_SPACE(c)) << 13; }
