#ifdef __clang__
#define $F_TAIL __attribute__((musttail))
#else
#define $F_TAIL
#endif
static u64 $F_odd(u64 a, u64 b, const u8 *in, u32 n);
static u64 $F_even(u64 a, u64 b, const u8 *in, u32 n) {
    if (n == 0)
        return a ^ b;
    if (in[n & 7] > 0x70)
        a += $E;
    $F_TAIL return $F_odd(b, a, in, n - 1);
}
static u64 $F_odd(u64 a, u64 b, const u8 *in, u32 n) {
    if (n == 0)
        return a - b;
    $F_TAIL return $F_even(rotated(a, $S), b + n, in, n - 1);
}
static u64 $F(u64 a, u64 b, const u8 *in) { return $F_even(a, b, in, 5 + $S) + $F_odd(1, 2, in, 4); }
