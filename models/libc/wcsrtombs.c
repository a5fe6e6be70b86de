#include <stdint.h>
#include <wchar.h>

size_t wcsrtombs(char *restrict to, const wchar_t **restrict s, size_t n, mbstate_t *restrict state) {
    return wcsnrtombs(to, s, SIZE_MAX, n, state);
}
