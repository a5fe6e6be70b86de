#include <wchar.h>

/* In both locales. */
int wcscoll(const wchar_t *s, const wchar_t *t) { return wcscmp(s, t); }
