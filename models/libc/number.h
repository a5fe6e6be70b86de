/* Integers as parsed by the `strto…` functions: one decision for each character. */
#include <errno.h>
#include <stddef.h>

#include "class.h"

struct number {
    unsigned long magnitude;
    int negative;
    /* True if the magnitude exceeds 64 bits. */
    int overflows;
    /* Number of digits that were read: few digits cannot overflow. */
    int digits;
    /* Position after the number; the start, if there was no number; NULL for an invalid base. */
    const char *end;
};

/* Number of digits that cannot reach 2^63 in any base. */
#define FEW_DIGITS 12

#define ANY_WIDTH ((size_t)-1)

static inline unsigned digit_value(unsigned char c, unsigned base) {
    if (base <= 10)
        return (unsigned)c - '0';
    unsigned is_digit = IS_DIGIT(c), is_letter = IS_ALPHA(c);
    return is_digit * ((unsigned)c - '0') + is_letter * ((c | 32u) - 'a' + 10) + (!is_digit & !is_letter) * 99u;
}

static inline struct number read_number(const char *s, int base, int has_binary, size_t width) {
    struct number number = {0, 0, 0, 0, s};
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        number.end = NULL;
        return number;
    }
    size_t i = 0;
    while (i < width && IS_SPACE((unsigned char)s[i]))
        i++;
    if (i < width && (s[i] == '+' || s[i] == '-')) {
        number.negative = s[i] == '-';
        i++;
    }
    if (base == 0 || base == 16 || (has_binary && base == 2)) {
        int zero = i < width && s[i] == '0';
        if (zero && base != 2 && width - i > 1 && (s[i + 1] | 32) == 'x') {
            base = 16;
            /* Without digits after it, the zero is the number. */
            if (width - i > 2 && digit_value(s[i + 2], 16) < 16)
                i += 2;
        } else if (zero && base != 16 && has_binary && width - i > 1 && (s[i + 1] | 32) == 'b') {
            base = 2;
            if (width - i > 2 && digit_value(s[i + 2], 2) < 2)
                i += 2;
        } else if (base == 0) {
            base = zero ? 8 : 10;
        }
    }
    for (; i < width; i++) {
        unsigned digit = digit_value(s[i], base);
        if (digit >= (unsigned)base)
            break;
        if (number.digits++ < FEW_DIGITS) {
            number.magnitude = number.magnitude * base + digit;
        } else {
            number.overflows |= __builtin_mul_overflow(number.magnitude, base, &number.magnitude);
            number.overflows |= __builtin_add_overflow(number.magnitude, digit, &number.magnitude);
        }
        number.end = s + i + 1;
    }
    return number;
}

static inline long to_signed(struct number number) {
    if (number.digits > FEW_DIGITS) {
        unsigned long most = ((unsigned long)-1 >> 1) + number.negative;
        if (number.overflows | (number.magnitude > most)) {
            errno = ERANGE;
            return most;
        }
    }
    return number.negative ? -number.magnitude : number.magnitude;
}

static inline unsigned long to_unsigned(struct number number) {
    if (number.digits > FEW_DIGITS && number.overflows) {
        errno = ERANGE;
        return -1;
    }
    return number.negative ? -number.magnitude : number.magnitude;
}
