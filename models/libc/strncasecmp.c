#include <strings.h>

#include "compare.h"

int strncasecmp(const char *s, const char *t, size_t n) { return compare(s, t, n, 1); }
