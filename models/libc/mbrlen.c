#include <wchar.h>

size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) {
    static mbstate_t own;
    return mbrtowc(NULL, s, n, state ? state : &own);
}
