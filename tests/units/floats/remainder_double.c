// tine-test: fn=remainder_double cflags="-fno-math-errno" verdict=incomplete reason="frem of 64 bits"
// The remainder of doubles is recorded, but no solver can be asked about it: what depends on it counts as unknown.
// FIXME: solvers unroll IEEE's remainder over the whole range of exponents, which is too much for `double`.

int remainder_double(double x) {
    if (x < 0 || x > 100)                   //~ COVERED
        return 0;
    if (__builtin_fmod(x, 3.5) == 1.25)
        return 1;
    return 2;
}
