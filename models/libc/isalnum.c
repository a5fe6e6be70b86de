#include <ctype.h>

#include "class.h"

int isalnum(int c) { return (IS_ALPHA(c) | IS_DIGIT(c)) << 3; }
