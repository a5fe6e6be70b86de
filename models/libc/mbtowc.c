#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
    static mbstate_t state;
    if (!s) {
        memset(&state, 0, sizeof state);
        return 0;
    }
    /* The library looks at the first byte whatever `n` is. */
    if (!*s) {
        if (to)
            *to = 0;
        return 0;
    }
    /* The state stays, even where the character is not complete. */
    size_t length = mbrtowc(to, s, n, &state);
    return length == (size_t)-2 ? -1 : (int)length;
}
