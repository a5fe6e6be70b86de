#include <stdlib.h>

/* Explored programs run with the rights of their user. */
char *secure_getenv(const char *name) { return getenv(name); }
