#include "float.h"

double library_strtod(const char *s, char **end) LIBRARY(strtod);

/* 2^53 has 16 digits. */
#define VALUE double
#define INTEGER long
#define MOST_DIGITS 15
#define MOST_POWER 22
#define INFINITE __builtin_inf()
#define LIBRARY_FUNCTION library_strtod
#include "short.h"

double strtod(const char *restrict s, char **restrict end) { return read_short(s, end); }
