typedef unsigned __int128 $F_wide;
typedef __int128 $F_signed;
static $F_wide $F_power($F_wide x, u32 n) { return n ? $F_power(x, n - 1) * x + n : 1; }
static u64 $F(u64 a, u64 b, const u8 *in) {
    $F_wide x = ($F_wide)a << 64 | b, y = $K;
    $F_signed s = -1;
    u64 sum = 0;
    for (u32 i = 0; i < 4; i++) {
        x = x * (i == 1 ? y : 5) + ((($F_wide)in[i] << 90) | i);
        y = $F_power(y | 1, $S) ^ (x >> (33 * i));
        s = ($F_signed)(x >> 2) - ($F_signed)(y >> 3);
        if (s < 0)
            sum += (u64)(-s >> 64) + (u64)(x % 1000);
        else if (x > y)
            sum ^= $E;
        sum += (u64)((x / ((y >> 70) | 3)) >> 5) + (u64)(double)(u64)(y >> 80);
    }
    return sum;
}
