#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vasprintf(char **restrict to, const char *restrict format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text)
        return -1;
    vsnprintf(text, (size_t)length + 1, format, list);
    *to = text;
    return length;
}
