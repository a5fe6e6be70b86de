#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int mblen(const char *s, size_t n) {
    mbstate_t state = {0};
    if (!s || !*s)
        return 0;
    size_t length = mbrtowc(NULL, s, n, &state);
    return length == (size_t)-2 ? -1 : (int)length;
}
