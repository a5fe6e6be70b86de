#include <string.h>

char *__strdup(const char *s) { return strdup(s); }
