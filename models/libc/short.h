/* Body of `strtod` and `strtof`: numbers that are short enough to be computed exactly.
 *
 * Defined before: VALUE is the type, INTEGER a type for MOST_DIGITS digits, MOST_POWER the largest power of ten that is
 * exact in VALUE, INFINITE its infinity, LIBRARY_FUNCTION the function for other numbers. */
static VALUE read_short(const char *s, char **end) {
    struct decimal decimal = read_decimal(s);
    int power;
    if (end)
        *end = (char *)decimal.end;
    if (decimal.end == s)
        return 0;
    if (decimal.other == 'i')
        return decimal.negative ? -INFINITE : INFINITE;
    if (!decimal.other && decimal.n_digits == 0)
        return decimal.negative ? -(VALUE)0.0 : (VALUE)0.0;
    if (!decimal.other && decimal.n_digits <= MOST_DIGITS &&
        known_power(decimal.exponent, decimal.n_digits, MOST_POWER, &power)) {
        /* Powers up to the largest one are products of exact powers. */
        VALUE value = (VALUE)(INTEGER)decimal.digits, scale = 1;
        for (int k = power < 0 ? -power : power; k > 0; k--)
            scale *= 10;
        value = power < 0 ? value / scale : value * scale;
        return decimal.negative ? -value : value;
    }
    return LIBRARY_FUNCTION(s, NULL);
}
