static long double $F_step(long double x, int n) { return n > 0 ? $F_step(x * 1.5L + n, n - 1) : x; }
static u64 $F(u64 a, u64 b, const u8 *in) {
    long double x = (long double)(in[0] & 31) / 4, y[2] = {$S, 0.25L};
    u64 sum = b;
    for (int i = 0; i < 4; i++) {
        y[i & 1] += x;
        x = $F_step(i == 1 ? (long double)(a & 63) : y[0] / 2, $S);
        if (x > y[1])
            sum += (u64)x;
        else
            sum ^= $E;
    }
    return sum + (u64)y[1];
}
