#include <string.h>

char *strstr(const char *s, const char *needle) { return memmem(s, strlen(s), needle, strlen(needle)); }
