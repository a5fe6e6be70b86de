#include <ctype.h>

int isascii(int c) { return (c & ~127) == 0; }
