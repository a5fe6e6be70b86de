/* Numbers with a fraction, as the `strto…` functions read them: one decision for each character.
 *
 * Short numbers are computed exactly, as an integer times or divided by a power of ten that is also a float. Then the
 * single rounding at the end is correct. Other numbers are left to the library and counted. So are fractions of more
 * than FEW_DIGITS digits, because solvers take seconds for each division.
 */
#include <stddef.h>
#include <stdlib.h>

#include "class.h"
#include "library.h"

/* Maximum number of digits of a number with a fraction or an exponent that is computed here. */
#define FEW_DIGITS 4

struct decimal {
    unsigned long digits;
    /* The value is `digits` times ten to the power of this. */
    int exponent;
    int negative;
    /* Number of digits from the first nonzero one: more than fit, if the library has to compute. */
    int n_digits;
    /* Not decimal: 'x' for hexadecimal, 'i' for infinity, 'n' for NaN; '?' for an exponent too large. */
    char other;
    /* Position after the number; the start, if there was no number. */
    const char *end;
};

/* True if `s` begins with a word, ignoring case. */
static inline int begins_with(const char *s, const char *word) {
    for (; *word; word++, s++)
        if ((*s | 32) != *word)
            return 0;
    return 1;
}

static inline struct decimal read_special(struct decimal decimal, const char *s) {
    if (begins_with(s, "inf")) {
        decimal.other = 'i';
        decimal.end = s + (begins_with(s + 3, "inity") ? 8 : 3);
    } else if (begins_with(s, "nan")) {
        decimal.other = 'n';
        decimal.end = s + 3;
        if (s[3] == '(') {
            size_t i = 4;
            while (IS_ALPHA((unsigned char)s[i]) | IS_DIGIT((unsigned char)s[i]) | (s[i] == '_'))
                i++;
            if (s[i] == ')')
                decimal.end = s + i + 1;
        }
    }
    return decimal;
}

/* Parses the `e+7` at `s`, or nothing without a digit. Exponents larger than any relevant one are limited. */
static inline const char *read_exponent(const char *s, char letter, int *exponent) {
    *exponent = 0;
    if ((*s | 32) != letter)
        return s;
    const char *at = s + 1;
    int negative = 0, value = 0;
    if (*at == '+' || *at == '-') {
        negative = *at == '-';
        at++;
    }
    if (!IS_DIGIT((unsigned char)*at))
        return s;
    for (; IS_DIGIT((unsigned char)*at); at++)
        if (value < 100000)
            value = value * 10 + (*at - '0');
    *exponent = negative ? -value : value;
    return at;
}

static inline struct decimal read_decimal(const char *s) {
    struct decimal decimal = {0, 0, 0, 0, 0, s};
    while (IS_SPACE((unsigned char)*s))
        s++;
    if (*s == '+' || *s == '-') {
        decimal.negative = *s == '-';
        s++;
    }
    if (IS_ALPHA((unsigned char)*s))
        return read_special(decimal, s);
    int in_fraction = 0, any = 0, written;
    if (s[0] == '0' && (s[1] | 32) == 'x') {
        const char *at = s + 2;
        for (;; at++) {
            if (*at == '.' && !in_fraction)
                in_fraction = 1;
            else if (IS_DIGIT((unsigned char)*at) | IN(*at | 32, 'a', 'f'))
                any = 1;
            else
                break;
        }
        if (any) {
            decimal.other = 'x';
            decimal.end = read_exponent(at, 'p', &written);
            return decimal;
        }
        in_fraction = 0;
    }
    for (;; s++) {
        if (*s == '.' && !in_fraction) {
            in_fraction = 1;
        } else if (IS_DIGIT((unsigned char)*s)) {
            any = 1;
            decimal.exponent -= in_fraction;
            /* A decision, so that the number of digits does not depend on inputs. */
            if (decimal.n_digits || *s != '0')
                decimal.n_digits++;
            if (decimal.n_digits <= 18)
                decimal.digits = decimal.digits * 10 + (unsigned long)(*s - '0');
        } else {
            break;
        }
    }
    if (!any)
        return decimal;
    decimal.end = read_exponent(s, 'e', &written);
    decimal.exponent += written;
    return decimal;
}

/* Computes ten to this power without dependence on inputs; 0 if it is outside of -most … most, or too long. */
static inline int known_power(int exponent, int n_digits, int most, int *power) {
    if (n_digits > FEW_DIGITS) {
        *power = 0;
        return exponent == 0;
    }
    for (int k = -most; k <= most; k++) {
        if (exponent == k) {
            *power = k;
            return 1;
        }
    }
    return 0;
}
