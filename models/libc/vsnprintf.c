#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "library.h"
#include "print.h"

int library_snprintf(char *to, size_t size, const char *format, ...) LIBRARY(snprintf);
int library_vsnprintf(char *to, size_t size, const char *format, va_list list) LIBRARY(vsnprintf);

/* The library formats it. `wide` is the value of a directive with `L`. */
static void put_float(struct output *output, const struct directive *directive, double value, long double wide) {
    char format[16], few[512], *text = few;
    int n = 0;
    format[n++] = '%';
    if (directive->left)
        format[n++] = '-';
    if (directive->plus)
        format[n++] = '+';
    if (directive->space)
        format[n++] = ' ';
    if (directive->alternative)
        format[n++] = '#';
    if (directive->zero)
        format[n++] = '0';
    format[n++] = '*', format[n++] = '.', format[n++] = '*';
    if (directive->length == 'L')
        format[n++] = 'L';
    format[n++] = directive->conversion;
    format[n] = 0;
    for (size_t size = sizeof few;;) {
        int length = directive->length == 'L'
                         ? library_snprintf(text, size, format, directive->width, directive->precision, wide)
                         : library_snprintf(text, size, format, directive->width, directive->precision, value);
        if (length < 0)
            return;
        if ((size_t)length < size) {
            for (int i = 0; i < length; i++)
                put(output, text[i]);
            break;
        }
        size = (size_t)length + 1;
        text = own_malloc(size);
        if (!text)
            return;
    }
    if (text != few)
        free(text);
}

static const char *read_flags(const char *format, struct directive *directive) {
    for (;; format++) {
        switch (*format) {
        case '-':
            directive->left = 1;
            break;
        case '+':
            directive->plus = 1;
            break;
        case ' ':
            directive->space = 1;
            break;
        case '#':
            directive->alternative = 1;
            break;
        case '0':
            directive->zero = 1;
            break;
        case '\'':
        case 'I':
            break;
        default:
            return format;
        }
    }
}

static const char *read_digits(const char *format, int *number) {
    for (*number = 0; *format >= '0' && *format <= '9'; format++)
        *number = *number * 10 + (*format - '0');
    return format;
}

static const char *read_length(const char *format, struct directive *directive) {
    switch (*format) {
    case 'h':
    case 'l':
        directive->length = *format;
        if (format[1] != format[0])
            return format + 1;
        directive->length = *format == 'h' ? 'H' : 'q';
        return format + 2;
    case 'q':
    case 'L':
    case 'j':
    case 'z':
    case 'Z':
    case 't':
        directive->length = *format;
        return format + 1;
    default:
        return format;
    }
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
    struct output output = {to, size, 0};
    const char *whole = format;
    va_list again;
    va_copy(again, list);
    for (; *format; format++) {
        if (*format != '%') {
            put(&output, *format);
            continue;
        }
        struct directive directive = {.precision = -1};
        format = read_flags(format + 1, &directive);
        if (*format == '*') {
            directive.width = va_arg(list, int);
            if (directive.width < 0) {
                directive.left = 1;
                directive.width = -directive.width;
            }
            format++;
        } else {
            format = read_digits(format, &directive.width);
        }
        if (*format == '.') {
            if (format[1] == '*') {
                directive.precision = va_arg(list, int);
                format += 2;
            } else {
                format = read_digits(format + 1, &directive.precision);
            }
        }
        format = read_length(format, &directive);
        directive.conversion = *format;
        char length = directive.length;
        int is_long = length == 'l' || length == 'q' || length == 'L' || length == 'j' || length == 'z' ||
                      length == 'Z' || length == 't';
        switch (*format) {
        case 'd':
        case 'i': {
            long value = is_long ? va_arg(list, long) : va_arg(list, int);
            if (length == 'h')
                value = (short)value;
            else if (length == 'H')
                value = (signed char)value;
            put_signed(&output, &directive, value);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long value = is_long ? va_arg(list, unsigned long) : va_arg(list, unsigned);
            if (length == 'h')
                value = (unsigned short)value;
            else if (length == 'H')
                value = (unsigned char)value;
            put_number(&output, &directive, "", value, *format == 'u' ? 10 : *format == 'o' ? 8 : 16);
            break;
        }
        case 'p': {
            void *value = va_arg(list, void *);
            directive.alternative = 1;
            if (value)
                put_number(&output, &directive, directive.plus ? "+" : directive.space ? " " : "",
                           (unsigned long)value, 16);
            else
                put_text(&output, &directive, "(nil)", 5);
            break;
        }
        case 'c': {
            if (length == 'l')
                goto other;
            char value = (char)va_arg(list, int);
            put_text(&output, &directive, &value, 1);
            break;
        }
        case 'm':
        case 's': {
            /* Since version 2.35 of the GNU library, `%#m` is the name of the error. */
            if (length == 'l' && *format == 's' || directive.alternative && *format == 'm')
                goto other;
            const char *value = *format == 'm' ? strerror(errno) : va_arg(list, const char *);
            if (!value)
                value = directive.precision < 0 || directive.precision > 5 ? "(null)" : "";
            size_t n = directive.precision < 0 ? strlen(value) : strnlen(value, directive.precision);
            put_text(&output, &directive, value, n);
            break;
        }
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (length == 'L') {
                put_float(&output, &directive, 0, va_arg(list, long double));
            } else {
                double value = va_arg(list, double);
                if (!put_whole(&output, &directive, value))
                    put_float(&output, &directive, value, 0);
            }
            break;
        case 'n': {
            void *value = va_arg(list, void *);
            if (length == 'H')
                *(signed char *)value = (signed char)output.length;
            else if (length == 'h')
                *(short *)value = (short)output.length;
            else if (is_long)
                *(long *)value = (long)output.length;
            else
                *(int *)value = (int)output.length;
            break;
        }
        case '%':
            put(&output, '%');
            break;
        default:
            goto other;
        }
    }
    va_end(again);
    if (size > 0)
        to[output.length < size ? output.length : size - 1] = 0;
    if (output.length > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return (int)output.length;
other:;
    /* Left to the library: numbered arguments, wide characters, unknown conversions. */
    int length = library_vsnprintf(to, size, whole, again);
    va_end(again);
    return length;
}
