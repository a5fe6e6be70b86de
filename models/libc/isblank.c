#include <ctype.h>

#include "class.h"

int isblank(int c) { return (c == ' ' | c == '\t') << 0; }
