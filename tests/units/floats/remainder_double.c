// tine-test: fn=remainder_double cflags="-fno-math-errno"
// The remainder of doubles is exact.

int remainder_double(double x) {
    if (x < 0 || x > 100)                   //~ COVERED
        return 0;
    if (__builtin_fmod(x, 3.5) == 1.25)     //~ COVERED
        return 1;
    return 2;
}
