#include <stdlib.h>
#include <wchar.h>

size_t mbstowcs(wchar_t *restrict to, const char *restrict s, size_t n) {
    mbstate_t state = {0};
    return mbsrtowcs(to, &s, n, &state);
}
