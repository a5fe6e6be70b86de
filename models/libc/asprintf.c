#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

int asprintf(char **restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = vasprintf(to, format, list);
    va_end(list);
    return length;
}
