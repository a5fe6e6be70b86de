#include <stdio.h>

int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    return vsnprintf(to, (size_t)-1 >> 1, format, list);
}
