/* Functions whose names end in `_chk`, with enough room. */
#include "compare.h"

#include <stdarg.h>

char * __memcpy_chk(void *, const void *, size_t, size_t), *model___memcpy_chk(void *, const void *, size_t, size_t);
char * __memmove_chk(void *, const void *, size_t, size_t), *model___memmove_chk(void *, const void *, size_t, size_t);
char * __mempcpy_chk(void *, const void *, size_t, size_t), *model___mempcpy_chk(void *, const void *, size_t, size_t);
char * __memset_chk(void *, int, size_t, size_t), *model___memset_chk(void *, int, size_t, size_t);
char * __strcpy_chk(char *, const char *, size_t), *model___strcpy_chk(char *, const char *, size_t);
char * __stpcpy_chk(char *, const char *, size_t), *model___stpcpy_chk(char *, const char *, size_t);
char * __strncpy_chk(char *, const char *, size_t, size_t), *model___strncpy_chk(char *, const char *, size_t, size_t);
char * __stpncpy_chk(char *, const char *, size_t, size_t), *model___stpncpy_chk(char *, const char *, size_t, size_t);
char * __strcat_chk(char *, const char *, size_t), *model___strcat_chk(char *, const char *, size_t);
char * __strncat_chk(char *, const char *, size_t, size_t), *model___strncat_chk(char *, const char *, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t), model___explicit_bzero_chk(void *, size_t, size_t);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...), model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...), model___sprintf_chk(char *, int, size_t, const char *, ...);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list), model___vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list), model___vsprintf_chk(char *, int, size_t, const char *, va_list);

static int bounded(int function(char *, size_t, int, size_t, const char *, va_list), char *to, size_t n,
                   const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = function(to, n, 1, n, format, list);
    va_end(list);
    return length;
}

static int unbounded(int function(char *, int, size_t, const char *, va_list), char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = function(to, 1, sizeof ours, format, list);
    va_end(list);
    return length;
}

#define SET any_text(s, SIZE - 1, "abc"), n = below(SIZE), i = below(3)

void compare_fortified(void) {
    char s[SIZE] = "", t[1] = "";
    size_t n, i;
    COMPARE(__memcpy_chk, SET, model___memcpy_chk(ours, s, n, n + i) - ours, __memcpy_chk(theirs, s, n, n + i) - theirs);
    COMPARE(__memmove_chk, SET, model___memmove_chk(ours, s, n, n + i) - ours, __memmove_chk(theirs, s, n, n + i) - theirs);
    COMPARE(__mempcpy_chk, SET, model___mempcpy_chk(ours, s, n, n + i) - ours, __mempcpy_chk(theirs, s, n, n + i) - theirs);
    COMPARE(__memset_chk, SET, model___memset_chk(ours, 7, n, n + i) - ours, __memset_chk(theirs, 7, n, n + i) - theirs);
    COMPARE(__strcpy_chk, SET, model___strcpy_chk(ours, s, strlen(s) + 1 + i) - ours, __strcpy_chk(theirs, s, strlen(s) + 1 + i) - theirs);
    COMPARE(__stpcpy_chk, SET, model___stpcpy_chk(ours, s, strlen(s) + 1 + i) - ours, __stpcpy_chk(theirs, s, strlen(s) + 1 + i) - theirs);
    COMPARE(__strncpy_chk, SET, model___strncpy_chk(ours, s, n, n + i) - ours, __strncpy_chk(theirs, s, n, n + i) - theirs);
    COMPARE(__stpncpy_chk, SET, model___stpncpy_chk(ours, s, n, n + i) - ours, __stpncpy_chk(theirs, s, n, n + i) - theirs);
    COMPARE(__strcat_chk, SET, model___strcat_chk(ours, s, sizeof ours) - ours, __strcat_chk(theirs, s, sizeof ours) - theirs);
    COMPARE(__strncat_chk, SET, model___strncat_chk(ours, s, n, sizeof ours) - ours, __strncat_chk(theirs, s, n, sizeof ours) - theirs);
    COMPARE(__explicit_bzero_chk, SET, (model___explicit_bzero_chk(ours, n, n + i), 0), (__explicit_bzero_chk(theirs, n, n + i), 0));
    COMPARE(__snprintf_chk, SET, model___snprintf_chk(ours, n, 1, n + i, "%s=%d", s, (int)n), __snprintf_chk(theirs, n, 1, n + i, "%s=%d", s, (int)n));
    COMPARE(__sprintf_chk, SET, model___sprintf_chk(ours, 1, sizeof ours, "%s=%d", s, (int)n), __sprintf_chk(theirs, 1, sizeof ours, "%s=%d", s, (int)n));
    COMPARE(__vsnprintf_chk, SET, bounded(model___vsnprintf_chk, ours, n, "%s", s),
            bounded(__vsnprintf_chk, theirs, n, "%s", s));
    COMPARE(__vsprintf_chk, SET, unbounded(model___vsprintf_chk, ours, "%s", s),
            unbounded(__vsprintf_chk, theirs, "%s", s));
}
