#include <ctype.h>

#include "class.h"

/* The library takes a negative `char` for the `unsigned char` it stands for. */
int tolower(int c) { return LOWER(c) + (IN(c, -128, -2) << 8); }
