static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = 0, big;
    for (int i = 0; i < 5; i++) {
        int narrow;
        u8 byte;
        long long wide;
        sum += __builtin_add_overflow((int)in[i] << 23, (int)(a & 0x7fffffff), &narrow);
        sum ^= (u32)narrow;
        sum += __builtin_mul_overflow((u32)b, i == 2 ? (u32)a : (u32)$S, &byte) * 7u + byte;
        sum += __builtin_sub_overflow((long long)(b >> 1), (long long)(a >> 1) * -1, &wide);
        sum += __builtin_mul_overflow($E, a | 1, &big) ? 3 : big;
        sum += __builtin_popcountll(a) + (b ? __builtin_ctzll(b) : 64) + __builtin_bswap32((u32)sum);
    }
    return sum;
}
