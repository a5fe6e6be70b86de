#include <stdint.h>
#include <strings.h>

#include "compare.h"

int strcasecmp(const char *s, const char *t) { return compare(s, t, SIZE_MAX, 1); }
