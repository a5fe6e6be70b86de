#include <stdlib.h>

/* What is explored runs with its user's rights. */
char *secure_getenv(const char *name) { return getenv(name); }
