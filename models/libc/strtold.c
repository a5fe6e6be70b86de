#include "float.h"

long double library_strtold(const char *s, char **end) LIBRARY(strtold);

/* The value has no expression, but the end of the number has one. */
long double strtold(const char *restrict s, char **restrict end) {
    struct decimal decimal = read_decimal(s);
    if (end)
        *end = (char *)decimal.end;
    return decimal.end == s ? 0 : library_strtold(s, NULL);
}
