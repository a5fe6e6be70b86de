// tine-test: fn=fast cflags="-O2 -ffast-math" paths=3
// What fast arithmetic allows is not made use of.
int fast(double x, double y) {
    if ((x + y) - x == y)                       //~ COVERED
        return 1;
    if (x * 2 == 3.0)                           //~ COVERED
        return 2;
    return 0;
}
