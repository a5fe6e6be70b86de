#include <stdarg.h>
#include <stdio.h>

#include "fortified.h"

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    CHECK(room, size);
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}
