#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

int __asprintf_chk(char **to, int flag, const char *format, ...);

int __asprintf_chk(char **to, int flag, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int length = vasprintf(to, format, list);
    va_end(list);
    return length;
}
