static u64 $F_plain(u64 a, u64 b) { return a + b * $S; }
static u64 $F_other(u64 a, u64 b) { return rotated(a, 9) ^ b; }
typedef u64 $F_type(u64, u64);
static $F_type *$F_resolve(void) { return $S & 1 ? $F_plain : $F_other; }
static u64 $F_chosen(u64 a, u64 b) __attribute__((ifunc("$F_resolve")));
static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += $F_chosen(i == 2 ? a : (u64)i, in[0] > 100 ? b : sum);
        if (sum % 5 == 2)
            sum ^= $E;
    }
    return sum;
}
