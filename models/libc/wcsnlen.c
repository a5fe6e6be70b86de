#include <wchar.h>

size_t wcsnlen(const wchar_t *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}
