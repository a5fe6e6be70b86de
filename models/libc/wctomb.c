#include <stdlib.h>
#include <wchar.h>

int wctomb(char *to, wchar_t c) { return to ? (int)wcrtomb(to, c, NULL) : 0; }
