#include <stdarg.h>
#include <stdio.h>

#include "fortified.h"

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, room, format, list);
    va_end(list);
    if (length >= 0)
        CHECK(room, (size_t)length + 1);
    return length;
}
