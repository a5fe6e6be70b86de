#include <stdarg.h>

/* Not from the header, which uses another symbol name. */
int vsscanf(const char *restrict s, const char *restrict format, va_list list);

int sscanf(const char *restrict s, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int assigned = vsscanf(s, format, list);
    va_end(list);
    return assigned;
}
