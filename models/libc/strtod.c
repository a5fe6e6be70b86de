#include "float.h"

double library_strtod(const char *s, char **end) LIBRARY(strtod);

double strtod(const char *restrict s, char **restrict end) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal decimal = read_decimal(s);
    int power;
    if (end)
        *end = (char *)decimal.end;
    if (decimal.end == s)
        return 0;
    if (decimal.other == 'i')
        return decimal.negative ? -__builtin_inf() : __builtin_inf();
    if (!decimal.other && decimal.n_digits == 0)
        return decimal.negative ? -0.0 : 0.0;
    /* 2^53 has 16 digits. */
    if (!decimal.other && decimal.n_digits <= 15 && known_power(decimal.exponent, decimal.n_digits, 22, &power)) {
        double value = (double)(long)decimal.digits;
        value = power < 0 ? value / powers[-power] : value * powers[power];
        return decimal.negative ? -value : value;
    }
    return library_strtod(s, NULL);
}
