struct $F_small { u32 a; u8 b; };
struct $F_mixed { double x; u32 n; };
struct $F_large { u64 words[5]; };
static struct $F_small $F_one(struct $F_small s, u8 by) {
    s.a += by;
    s.b ^= s.a;
    return s;
}
static struct $F_mixed $F_two(struct $F_mixed m, u64 by) {
    m.x += by & 15;
    m.n = (u32)(m.x * 2) + m.n;
    return m;
}
static struct $F_large $F_three(struct $F_large l, u32 k, u64 with) {
    l.words[k % 5] = with + l.words[(k + 1) % 5];
    if (k == 0)
        return l;
    return $F_three(l, k - 1, with ^ $K);
}
static u64 $F_sum(u64 a, u64 b) { return a + b; }
static u64 $F_difference(u64 a, u64 b) { return a - b; }
static u64 $F_more(u64 a, u64 b) { return a > b ? rotated(a, $S) : b; }
static u64 $F(u64 a, u64 b, const u8 *in) {
    static u64 (*const table[])(u64, u64) = {$F_sum, $F_difference, $F_more};
    struct $F_small s = {$S, 1};
    struct $F_mixed m = {0.5, 3};
    struct $F_large l = {{1, 2, 3, b, 5}};
    u64 sum = a;
    for (int i = 0; i < 5; i++) {
        s = $F_one(s, i == 1 ? in[2] : 7);
        m = $F_two(m, i == 3 ? a : $S);
        l = $F_three(l, i, i & 1 ? sum : 9);
        if (s.b > 0x40)
            sum = table[s.a % 3](sum, $E);
        sum += m.n + (u64)m.x + l.words[i];
    }
    return sum;
}
