#include <ctype.h>

#include "class.h"

int islower(int c) { return (IS_LOWER(c)) << 9; }
