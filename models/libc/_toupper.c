#include <ctype.h>

int _toupper(int c) { return toupper(c); }
