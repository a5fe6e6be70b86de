#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
    static mbstate_t state;
    if (!s) {
        memset(&state, 0, sizeof state);
        return 0;
    }
    /* The library reads the first byte for any `n`. */
    if (!*s) {
        if (to)
            *to = 0;
        return 0;
    }
    /* The state is kept, even if the character is not complete. */
    size_t length = mbrtowc(to, s, n, &state);
    return length == (size_t)-2 ? -1 : (int)length;
}
