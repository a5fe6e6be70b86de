#include "float.h"

float library_strtof(const char *s, char **end) LIBRARY(strtof);

float strtof(const char *restrict s, char **restrict end) {
    static const float powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    struct decimal decimal = read_decimal(s);
    int power;
    if (end)
        *end = (char *)decimal.end;
    if (decimal.end == s)
        return 0;
    if (decimal.other == 'i')
        return decimal.negative ? -__builtin_inff() : __builtin_inff();
    if (!decimal.other && decimal.n_digits == 0)
        return decimal.negative ? -0.0f : 0.0f;
    /* 2^24 has 8 digits. */
    if (!decimal.other && decimal.n_digits <= 7 && known_power(decimal.exponent, decimal.n_digits, 10, &power)) {
        float value = (float)(int)decimal.digits;
        value = power < 0 ? value / powers[-power] : value * powers[power];
        return decimal.negative ? -value : value;
    }
    return library_strtof(s, NULL);
}
