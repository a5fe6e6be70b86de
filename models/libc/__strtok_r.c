#include <string.h>

char *__strtok_r(char *restrict s, const char *restrict set, char **restrict rest) { return strtok_r(s, set, rest); }
