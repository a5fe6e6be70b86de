#include <ctype.h>

#include "class.h"

int isdigit(int c) { return (IS_DIGIT(c)) << 11; }
