#include "environment.h"

char *getenv(const char *name) {
    size_t n = strlen(name);
    char **at = n ? variable(name, n) : NULL;
    return at ? *at + n + 1 : NULL;
}
