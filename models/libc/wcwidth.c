#include <wchar.h>

#include "class.h"
#include "utf8.h"

int library_wcwidth(wchar_t c) LIBRARY(wcwidth);

int wcwidth(wchar_t c) {
    BEYOND_ASCII(wcwidth, c);
    return c == 0 ? 0 : IN(c, ' ', '~') ? 1 : -1;
}
