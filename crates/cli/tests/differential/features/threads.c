static _Thread_local u64 $F_own = $K;
static __thread struct { u8 bytes[6]; u32 n; } $F_record = {{1, 2, 3}, 4};
static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = 0;
    for (int i = 0; i < 5; i++) {
        $F_own = i == 3 ? rotated($F_own, $S) + a : $F_own + $F_record.n;
        $F_record.bytes[i] ^= (u8)$F_own;
        u32 *p = &$F_record.n;
        *p += $F_record.bytes[$S % 6];
        if ($F_record.bytes[i] < in[i])
            sum += $E;
        else
            $F_own = $S;
    }
    return sum ^ $F_own ^ $F_record.n;
}
