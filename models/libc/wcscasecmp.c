#include <stdint.h>
#include <wchar.h>

int wcscasecmp(const wchar_t *s, const wchar_t *t) { return wcsncasecmp(s, t, SIZE_MAX); }
