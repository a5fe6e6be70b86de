#include <ctype.h>

#include "class.h"

int isalpha(int c) { return (IS_ALPHA(c)) << 10; }
