#include <ctype.h>

#include "class.h"

/* The library treats a negative `char` as the corresponding `unsigned char`. */
int tolower(int c) { return LOWER(c) + (IN(c, -128, -2) << 8); }
