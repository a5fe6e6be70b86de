#include <string.h>
#include <strings.h>

char *index(const char *s, int byte) { return strchr(s, byte); }
