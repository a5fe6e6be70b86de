#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

int __vasprintf_chk(char **to, int flag, const char *format, va_list list);

int __vasprintf_chk(char **to, int flag, const char *format, va_list list) {
    (void)flag;
    return vasprintf(to, format, list);
}
