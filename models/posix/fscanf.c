#include <stdarg.h>
#include <stdio.h>

/* Not from the header, which uses another symbol name. */
int __tine_vfscanf(FILE *restrict handle, const char *restrict format, va_list list) __asm__("vfscanf");

int fscanf(FILE *restrict handle, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int assigned = __tine_vfscanf(handle, format, list);
    va_end(list);
    return assigned;
}
