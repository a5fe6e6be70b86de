#include <ctype.h>

#include "class.h"

int isxdigit(int c) { return (IS_DIGIT(c) | IN((c) | 32, 'a', 'f')) << 12; }
