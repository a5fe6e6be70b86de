#include <string.h>

/* In the C locale. */
int strcoll(const char *s, const char *t) { return strcmp(s, t); }
