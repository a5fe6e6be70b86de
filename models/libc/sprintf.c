#include <stdarg.h>
#include <stdio.h>

int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsprintf(to, format, list);
    va_end(list);
    return length;
}
