#include <string.h>
#include <strings.h>

char *rindex(const char *s, int byte) { return strrchr(s, byte); }
