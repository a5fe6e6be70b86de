#include <string.h>
#include <strings.h>

void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
