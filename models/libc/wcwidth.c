#include <wchar.h>

#include "class.h"

int wcwidth(wchar_t c) { return c == 0 ? 0 : IN(c, ' ', '~') ? 1 : -1; }
