#include "float.h"

float library_strtof(const char *s, char **end) LIBRARY(strtof);

/* 2^24 has 8 digits. */
#define VALUE float
#define INTEGER int
#define MOST_DIGITS 7
#define MOST_POWER 10
#define INFINITE __builtin_inff()
#define LIBRARY_FUNCTION library_strtof
#include "short.h"

float strtof(const char *restrict s, char **restrict end) { return read_short(s, end); }
