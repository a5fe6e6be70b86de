#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "directive.h"
#include "library.h"
#include "number.h"

int library_vsscanf(const char *s, const char *format, va_list list) LIBRARY(vsscanf);

static const char *skip_spaces(const char *s) {
    while (IS_SPACE((unsigned char)*s))
        s++;
    return s;
}

int vsscanf(const char *restrict s, const char *restrict format, va_list list) {
    const char *start = s, *whole = format;
    int assigned = 0;
    va_list again;
    va_copy(again, list);
    for (; *format; format++) {
        if (IS_SPACE((unsigned char)*format)) {
            s = skip_spaces(s);
            continue;
        }
        if (*format != '%') {
            if (!*s)
                goto ended;
            if (*s != *format)
                return assigned;
            s++;
            continue;
        }
        format++;
        struct directive given = read_directive(&format);
        char conversion = *format;
        if (conversion == 'n') {
            if (!given.ignored)
                store_integer(va_arg(list, void *), given.length, s - start);
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            s = skip_spaces(s);
        if (conversion == '%') {
            if (!*s)
                goto ended;
            if (*s++ != '%')
                return assigned;
            continue;
        }
        if (given.allocates)
            goto other;
        int base = 0;
        switch (conversion) {
        case 'd':
        case 'u':
            base = 10;
            break;
        case 'o':
            base = 8;
            break;
        case 'x':
        case 'X':
        case 'p':
            base = 16;
            break;
        case 'i':
            break;
        case 'c':
        case 's':
        case '[':
            if (given.length == 'l')
                goto other;
            break;
        default:
            goto other;
        }
        struct set set = {NULL, NULL, 0};
        if (conversion == '[') {
            set = read_set(&format);
            if (!*format)
                return assigned;
        }
        if (!*s)
            goto ended;
        if (conversion == 'c') {
            char *to = given.ignored ? NULL : va_arg(list, char *);
            for (size_t n = given.width ? given.width : 1; n > 0 && *s; n--, s++)
                if (to)
                    *to++ = *s;
        } else if (conversion == 's') {
            char *to = given.ignored ? NULL : va_arg(list, char *);
            size_t n = given.width ? given.width : ANY_WIDTH;
            for (; n > 0 && *s && !IS_SPACE((unsigned char)*s); n--, s++)
                if (to)
                    *to++ = *s;
            if (to)
                *to = 0;
        } else if (conversion == '[') {
            const char *first = s;
            char *to = given.ignored ? NULL : va_arg(list, char *);
            size_t n = given.width ? given.width : ANY_WIDTH;
            for (; n > 0 && *s && is_in_set(*s, &set); n--, s++)
                if (to)
                    *to++ = *s;
            if (s == first)
                return assigned;
            if (to)
                *to = 0;
        } else {
            size_t width = given.width ? given.width : ANY_WIDTH;
            struct number number = read_number(s, base, 0, width);
            if (number.digits == 0)
                return assigned;
            /* `0x` without digits is 0 and is consumed completely, because only one character can be put back. */
            const char *first = s + (*s == '+' || *s == '-');
            int may_be_prefix = (base == 0 || base == 16) && number.end == first + 1 && (size_t)(first + 1 - s) < width;
            s = number.end;
            if (may_be_prefix && *first == '0' && (*s | 32) == 'x')
                s++;
            int is_signed = conversion == 'd' || conversion == 'i';
            unsigned long value = is_signed ? (unsigned long)to_signed(number) : to_unsigned(number);
            if (!given.ignored)
                store_integer(va_arg(list, void *), conversion == 'p' ? 'l' : given.length, value);
        }
        assigned += !given.ignored;
    }
    return assigned;
ended:
    return assigned ? assigned : -1;
other:
    /* Floating point, wide characters, allocated memory. The library repeats the earlier assignments. */
    return library_vsscanf(start, whole, again);
}
