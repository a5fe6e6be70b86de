typedef u32 $F_v4 __attribute__((vector_size(16)));
typedef u8 $F_b8 __attribute__((vector_size(8)));
typedef float $F_f4 __attribute__((vector_size(16)));
static $F_v4 $F_mix($F_v4 x, $F_v4 y) { return (x ^ y) + (x << 3) - (y >> $S); }
static u64 $F(u64 a, u64 b, const u8 *in) {
    $F_v4 x = {(u32)a, $S, in[0], 4}, y = {1, (u32)b, 3, in[1]};
    $F_b8 bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    $F_f4 f = {1, 2, 3, 4};
    u64 sum = 0;
    for (int i = 0; i < 4; i++) {
        x = $F_mix(x, i == 2 ? y : ($F_v4){1, 2, 3, 4});
        y = __builtin_shufflevector(x, y, 3, 4, 1, 6);
        y[i] = in[i];
        bytes[(in[2] + i) & 7] += (u8)x[1];
        f = f * 0.5f + ($F_f4){(float)(in[3] & 7), 1, 2, 3};
        $F_v4 greater = ($F_v4)(x > y);
        if (greater[0] | (greater[2] & 1))
            sum += $E;
        sum = rotated(sum, 5) + x[3] * y[0] + bytes[i] + (u64)f[i];
    }
    return sum;
}
