#include <ctype.h>

int _tolower(int c) { return tolower(c); }
