#include <string.h>

void explicit_bzero(void *to, size_t n) { memset(to, 0, n); }
