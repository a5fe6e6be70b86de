/* `scanf` for streams that are inputs: one byte is read ahead, and put back if it does not match. */
#include <stdarg.h>

#include "../libc/directive.h"
#include "../libc/number.h"
#include "files.h"

/* Length of the longest number. */
#define MAX_NUMBER 63

/* Not from the header, which may use another symbol name. */
double strtod(const char *restrict s, char **restrict end);
long double strtold(const char *restrict s, char **restrict end);

struct scanner {
    struct __tine_stream *stream;
    /* Number of bytes consumed, for `%n`. */
    size_t taken;
};

/* The next byte, which is not consumed; -1 at the end. */
static inline int peek(struct scanner *scanner) {
    int byte = stream_get(scanner->stream);
    if (byte != -1)
        scanner->stream->pushed[scanner->stream->n_pushed++] = byte;
    return byte;
}

static inline void take(struct scanner *scanner) {
    stream_get(scanner->stream);
    scanner->taken++;
}

static inline void skip_spaces(struct scanner *scanner) {
    for (int byte = peek(scanner); byte != -1 && IS_SPACE(byte); byte = peek(scanner))
        take(scanner);
}

/* Consumes and keeps the next byte if it is one of two. */
static inline int take_one(struct scanner *scanner, char *text, size_t *n, size_t width, int one, int other) {
    int byte = *n < width ? peek(scanner) : -1;
    if (byte != one && byte != other)
        return 0;
    text[(*n)++] = byte;
    take(scanner);
    return 1;
}

static inline size_t take_digits(struct scanner *scanner, char *text, size_t *n, size_t width, unsigned base) {
    size_t before = *n;
    for (int byte; *n < width && (byte = peek(scanner)) != -1 && digit_value(byte, base) < base; take(scanner))
        text[(*n)++] = byte;
    return *n - before;
}

/* Reads the text of an integer; empty if there is none. Sets the base according to a prefix. */
static inline size_t take_integer(struct scanner *scanner, char *text, size_t width, int *base) {
    size_t n = 0, digits = 0;
    take_one(scanner, text, &n, width, '+', '-');
    if ((*base == 0 || *base == 16) && take_one(scanner, text, &n, width, '0', '0')) {
        digits = 1;
        if (take_one(scanner, text, &n, width, 'x', 'X')) {
            /* Consumed, but not part of the number's text. */
            n--;
            width--;
            *base = 16;
        } else if (*base == 0) {
            *base = 8;
        }
    } else if (*base == 0) {
        *base = 10;
    }
    digits += take_digits(scanner, text, &n, width, *base);
    text[n] = 0;
    return digits ? n : 0;
}

/* Reads the text of a number with a fraction. */
static inline size_t take_fraction(struct scanner *scanner, char *text, size_t width) {
    size_t n = 0, digits;
    take_one(scanner, text, &n, width, '+', '-');
    int byte = n < width ? peek(scanner) : -1;
    if (byte != -1 && IS_ALPHA(byte)) {
        /* `inf`, `infinity`, `nan`. */
        for (; n < width && byte != -1 && IS_ALPHA(byte); byte = peek(scanner)) {
            text[n++] = byte;
            take(scanner);
        }
        text[n] = 0;
        return n;
    }
    unsigned base = 10;
    if (take_one(scanner, text, &n, width, '0', '0') && take_one(scanner, text, &n, width, 'x', 'X'))
        base = 16;
    digits = take_digits(scanner, text, &n, width, base);
    if (take_one(scanner, text, &n, width, '.', '.'))
        digits += take_digits(scanner, text, &n, width, base);
    if ((digits || n) && take_one(scanner, text, &n, width, base == 16 ? 'p' : 'e', base == 16 ? 'P' : 'E')) {
        take_one(scanner, text, &n, width, '+', '-');
        take_digits(scanner, text, &n, width, 10);
    }
    text[n] = 0;
    return n;
}

/* Reads bytes while `belongs`, to the program's destination. `m` allocates. */
#define TAKE_TEXT(belongs) \
    for (int byte; done < most && (byte = peek(&scanner)) != -1 && (belongs); done++, take(&scanner)) { \
        if (allocated && done + 1 >= room) \
            *allocated = to = realloc(to, room *= 2); \
        if (to) \
            to[done] = byte; \
    }

static inline int scan_stream(struct __tine_stream *stream, const char *format, va_list list) {
    struct scanner scanner = {stream, 0};
    int assigned = 0;
    for (; *format; format++) {
        if (IS_SPACE((unsigned char)*format)) {
            skip_spaces(&scanner);
            continue;
        }
        char conversion = *format;
        struct directive given = {0, 0, 0, 0};
        int is_itself = 1;
        if (conversion == '%') {
            format++;
            given = read_directive(&format);
            conversion = *format;
            is_itself = conversion == '%';
            if (conversion == 'n') {
                if (!given.ignored)
                    store_integer(va_arg(list, void *), given.length, scanner.taken);
                continue;
            }
            if (conversion != 'c' && conversion != '[')
                skip_spaces(&scanner);
        }
        const char *end = format;
        /* A set without an end is an error of the format, for any input. */
        if (conversion == '[' && !is_itself && (read_set(&end), !*end))
            return assigned;
        int next = peek(&scanner);
        if (next == -1)
            return assigned ? assigned : EOF;
        if (is_itself) {
            if (next != (unsigned char)conversion)
                return assigned;
            take(&scanner);
            continue;
        }
        char text[MAX_NUMBER + 1];
        size_t limit = given.width && given.width < MAX_NUMBER ? given.width : MAX_NUMBER, done = 0;
        size_t most = given.width ? given.width : conversion == 'c' ? 1 : ANY_WIDTH, room = 16;
        char **allocated = NULL, *to = NULL;
        if ((conversion == 'c' || conversion == 's' || conversion == '[') && !given.ignored) {
            if (given.allocates) {
                allocated = va_arg(list, char **);
                *allocated = to = malloc(room);
            } else {
                to = va_arg(list, char *);
            }
        }
        int base = 10;
        switch (conversion) {
        case 'c':
            TAKE_TEXT(1)
            break;
        case 's':
            TAKE_TEXT(!IS_SPACE(byte))
            if (to)
                to[done] = 0;
            break;
        case '[': {
            struct set set = read_set(&format);
            if (!*format)
                return assigned;
            TAKE_TEXT(is_in_set(byte, &set))
            if (!done)
                return assigned;
            if (to)
                to[done] = 0;
            break;
        }
        case 'o':
            base = 8;
            goto integer;
        case 'x':
        case 'X':
        case 'p':
            base = 16;
            goto integer;
        case 'i':
            base = 0;
            goto integer;
        case 'd':
        case 'u':
        integer: {
            if (!take_integer(&scanner, text, limit, &base))
                return assigned;
            struct number number = read_number(text, base, 0, ANY_WIDTH);
            int is_signed = conversion == 'd' || conversion == 'i';
            unsigned long value = is_signed ? (unsigned long)to_signed(number) : to_unsigned(number);
            if (!given.ignored)
                store_integer(va_arg(list, void *), conversion == 'p' ? 'l' : given.length, value);
            break;
        }
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G': {
            char *end;
            size_t n = take_fraction(&scanner, text, limit);
            double value = given.length == 'L' ? 0 : strtod(text, &end);
            long double longer = given.length == 'L' ? strtold(text, &end) : 0;
            if (!n || end != text + n)
                return assigned;
            if (!given.ignored) {
                void *place = va_arg(list, void *);
                if (given.length == 'L')
                    *(long double *)place = longer;
                else if (given.length == 'l')
                    *(double *)place = value;
                else
                    *(float *)place = (float)value;
            }
            break;
        }
        default:
            return assigned;
        }
        assigned += !given.ignored;
    }
    return assigned;
}
