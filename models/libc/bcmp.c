#include <string.h>
#include <strings.h>

int bcmp(const void *s, const void *t, size_t n) { return memcmp(s, t, n); }
