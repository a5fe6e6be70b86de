#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "number.h"

int library_vsscanf(const char *s, const char *format, va_list list) LIBRARY(vsscanf);

/* Stores an integer in what the length says: 'H' for hh, 'q' for ll. */
static void store(void *to, char length, unsigned long value) {
    switch (length) {
    case 'H':
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 'h':
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 0:
        *(unsigned *)to = (unsigned)value;
        break;
    default:
        *(unsigned long *)to = value;
    }
}

/* `first` to `behind` is what stands between the brackets. One expression. */
static int is_in_set(unsigned char c, const char *first, const char *behind) {
    int found = 0;
    for (const char *set = first; set < behind; set++) {
        if (set[0] == '-' && set > first && set + 1 < behind) {
            unsigned char low = set[-1], high = set[1];
            found |= (low <= c) & (c <= high);
        } else {
            found |= c == (unsigned char)*set;
        }
    }
    return found;
}

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
        int ignored = *format == '*';
        format += ignored;
        size_t width = 0;
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        char length = 0;
        if (*format == 'h' || *format == 'l') {
            length = *format++;
            if (*format == length) {
                length = length == 'h' ? 'H' : 'q';
                format++;
            }
        } else if (*format == 'j' || *format == 'z' || *format == 't' || *format == 'L' || *format == 'q') {
            length = *format++;
        }
        char conversion = *format;
        if (conversion == 'n') {
            if (!ignored)
                store(va_arg(list, void *), length, s - start);
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
            if (length == 'l')
                goto other;
            break;
        default:
            goto other;
        }
        if (!*s)
            goto ended;
        if (conversion == 'c') {
            char *to = ignored ? NULL : va_arg(list, char *);
            for (size_t n = width ? width : 1; n > 0 && *s; n--, s++)
                if (to)
                    *to++ = *s;
        } else if (conversion == 's') {
            char *to = ignored ? NULL : va_arg(list, char *);
            for (size_t n = width ? width : ANY_WIDTH; n > 0 && *s && !IS_SPACE((unsigned char)*s); n--, s++)
                if (to)
                    *to++ = *s;
            if (to)
                *to = 0;
        } else if (conversion == '[') {
            format++;
            int inverted = *format == '^';
            format += inverted;
            const char *set = format;
            /* A bracket that comes first is one of the set. */
            if (*format == ']')
                format++;
            while (*format && *format != ']')
                format++;
            if (!*format)
                return assigned;
            const char *first = s;
            char *to = ignored ? NULL : va_arg(list, char *);
            size_t n = width ? width : ANY_WIDTH;
            for (; n > 0 && *s && is_in_set(*s, set, format) != inverted; n--, s++)
                if (to)
                    *to++ = *s;
            if (s == first)
                return assigned;
            if (to)
                *to = 0;
        } else {
            struct number number = read_number(s, base, 0, width ? width : ANY_WIDTH);
            if (number.digits == 0)
                return assigned;
            s = number.end;
            int is_signed = conversion == 'd' || conversion == 'i';
            unsigned long value = is_signed ? (unsigned long)to_signed(number) : to_unsigned(number);
            if (!ignored)
                store(va_arg(list, void *), conversion == 'p' ? 'l' : length, value);
        }
        assigned += !ignored;
    }
    return assigned;
ended:
    return assigned ? assigned : -1;
other:
    /* Floating point, wide characters, memory to be allocated: what was assigned is assigned again. */
    return library_vsscanf(start, whole, again);
}
