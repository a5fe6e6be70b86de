#include <stdlib.h>
#include <wchar.h>

size_t wcstombs(char *restrict to, const wchar_t *restrict s, size_t n) { return wcsrtombs(to, &s, n, NULL); }
