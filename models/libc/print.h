/* Formatted output: directives of `printf`, and the output of strings and numbers. */
#include <stddef.h>
#include <string.h>

/* Destination of the output: all characters are counted, and those that fit are stored. */
struct output {
    char *to;
    size_t size, length;
};

struct directive {
    int left, plus, space, alternative, zero;
    int width;
    /* -1 if there is none. */
    int precision;
    /* 'H' for hh, 'q' for ll, otherwise as written or 0. */
    char length;
    char conversion;
};

static inline void put(struct output *output, char c) {
    if (output->length + 1 < output->size)
        output->to[output->length] = c;
    output->length++;
}

static inline void put_many(struct output *output, char c, int count) {
    for (int i = 0; i < count; i++)
        put(output, c);
}

static inline void put_text(struct output *output, const struct directive *directive, const char *text, size_t length) {
    int padding = (size_t)directive->width > length ? directive->width - (int)length : 0;
    if (!directive->left)
        put_many(output, ' ', padding);
    for (size_t i = 0; i < length; i++)
        put(output, text[i]);
    if (directive->left)
        put_many(output, ' ', padding);
}

/* Makes one decision for each further digit. */
static inline void put_number(struct output *output, const struct directive *directive, const char *sign,
                       unsigned long magnitude, unsigned base) {
    char digits[24];
    int n = 0, letters = directive->conversion == 'X' ? 'A' - '0' - 10 : 'a' - '0' - 10;
    int is_zero = magnitude == 0;
    for (unsigned long rest = magnitude; rest; rest /= base) {
        int digit = (int)(rest % base);
        digits[n++] = (char)('0' + digit + (digit > 9) * letters);
    }
    int least = directive->precision >= 0 ? directive->precision : 1;
    const char *prefix = "";
    if (directive->alternative && base == 8 && n >= least)
        least = n + 1;
    if (directive->alternative && base == 16 && !is_zero)
        prefix = directive->conversion == 'X' ? "0X" : "0x";
    int zeros = least > n ? least - n : 0;
    int written = (int)strlen(sign) + (int)strlen(prefix) + zeros + n;
    int padding = directive->width > written ? directive->width - written : 0;
    int pads_zeros = directive->zero && !directive->left && directive->precision < 0;
    if (!directive->left && !pads_zeros)
        put_many(output, ' ', padding);
    for (; *sign; sign++)
        put(output, *sign);
    for (; *prefix; prefix++)
        put(output, *prefix);
    put_many(output, '0', zeros + (pads_zeros ? padding : 0));
    while (n > 0)
        put(output, digits[--n]);
    if (directive->left)
        put_many(output, ' ', padding);
}

static inline void put_signed(struct output *output, const struct directive *directive, long value) {
    if (value < 0)
        put_number(output, directive, "-", -(unsigned long)value, 10);
    else
        put_number(output, directive, directive->plus ? "+" : directive->space ? " " : "", value, 10);
}

/* Integral values below this limit are written as integers. */
#define MOST_WHOLE 1e15
#define MOST_PLACES 64

/* `%f` and `%g` of a number without a fraction, if `%g` writes all of its digits; 0 for other numbers. */
static inline int put_whole(struct output *output, const struct directive *directive, double value) {
    int is_fixed = (directive->conversion | 32) == 'f', precision = directive->precision;
    if (!is_fixed && ((directive->conversion | 32) != 'g' || directive->alternative) || precision > MOST_PLACES)
        return 0;
    if (!(value > -MOST_WHOLE && value < MOST_WHOLE))
        return 0;
    long whole = (long)value;
    if ((double)whole != value)
        return 0;
    int negative = whole < 0 || whole == 0 && __builtin_signbit(value);
    unsigned long magnitude = whole < 0 ? -(unsigned long)whole : (unsigned long)whole, limit = 1;
    int places = precision < 0 ? 6 : precision;
    for (int k = 0; k < (places ? places : 1) && k < 16; k++)
        limit *= 10;
    if (!is_fixed && magnitude >= limit)
        return 0;
    char text[MOST_PLACES + 24];
    struct output digits = {text, sizeof text, 0};
    put_number(&digits, &(struct directive){.precision = -1}, "", magnitude, 10);
    if (is_fixed && (places || directive->alternative))
        put(&digits, '.');
    if (is_fixed)
        put_many(&digits, '0', places);
    char sign = negative ? '-' : directive->plus ? '+' : directive->space ? ' ' : 0;
    int length = (int)digits.length + (sign != 0), padding = directive->width > length ? directive->width - length : 0;
    if (!directive->left && !directive->zero)
        put_many(output, ' ', padding);
    if (sign)
        put(output, sign);
    if (!directive->left && directive->zero)
        put_many(output, '0', padding);
    for (size_t i = 0; i < digits.length; i++)
        put(output, text[i]);
    if (directive->left)
        put_many(output, ' ', padding);
    return 1;
}
