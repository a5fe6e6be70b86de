#include <ctype.h>

#include "class.h"

int isupper(int c) { return (IS_UPPER(c)) << 8; }
