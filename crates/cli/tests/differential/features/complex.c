static double _Complex $F_square(double _Complex z, int n) { return n ? $F_square(z * z * 0.25, n - 1) + 1 : z; }
static u64 $F(u64 a, u64 b, const u8 *in) {
    double _Complex z = (double)(in[0] & 15) + $S * I;
    float _Complex w = 1;
    u64 sum = b;
    for (int i = 0; i < 4; i++) {
        z = z * (i == 2 ? (double)(a & 7) - 2.0 * I : 1.0 + I) + (double)i;
        w += (float)(in[i] & 3) * (float _Complex)I;
        if (creal(z) > cimag(z) + $S)
            sum += (u64)(long long)cimag(z);
        else
            z = conj(z) - 3;
        if (w == 1.0f + 2.0f * (float _Complex)I)
            sum ^= $E;
    }
    z = $F_square(z * 0.125, 2);
    return sum + (u64)(long long)creal(z) + (u64)(long long)crealf(w) * 3;
}
