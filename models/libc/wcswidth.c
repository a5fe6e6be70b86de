#include <wchar.h>

int wcswidth(const wchar_t *s, size_t n) {
    int width = 0;
    for (; n && *s; s++, n--) {
        int more = wcwidth(*s);
        if (more < 0)
            return -1;
        width += more;
    }
    return width;
}
