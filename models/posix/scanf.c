#include <stdarg.h>
#include <stdio.h>

/* Not from the header, which uses another symbol name. */
int __tine_vscanf(const char *restrict format, va_list list) __asm__("vscanf");

int scanf(const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int assigned = __tine_vscanf(format, list);
    va_end(list);
    return assigned;
}
