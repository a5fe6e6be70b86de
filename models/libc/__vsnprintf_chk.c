#include <stdarg.h>
#include <stdio.h>

#include "fortified.h"

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list) {
    CHECK(room, size);
    return vsnprintf(to, size, format, list);
}
