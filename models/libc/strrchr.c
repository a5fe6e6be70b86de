#include <string.h>

char *strrchr(const char *s, int byte) { return memrchr(s, byte, strlen(s) + 1); }
