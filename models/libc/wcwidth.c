#include <wchar.h>

#include "class.h"
#include "utf8.h"

int library_wcwidth(wchar_t c) LIBRARY(wcwidth);

int wcwidth(wchar_t c) {
    if (is_utf8() && (unsigned)c >= 128)
        return (unsigned)c < 256 ? c < 0xa0 ? -1 : 1 : library_wcwidth(c);
    return c == 0 ? 0 : IN(c, ' ', '~') ? 1 : -1;
}
