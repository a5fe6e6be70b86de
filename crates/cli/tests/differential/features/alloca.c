static u64 $F_link(u8 *last, u64 a, int depth) {
    u8 *own = __builtin_alloca(8 + (depth & 3));
    memset(own, (int)a, 8);
    own[depth & 7] ^= last[0];
    if (depth == 0)
        return own[0] + 3u * own[$S];
    return rotated($F_link(own, a ^ $K, depth - 1), own[1]) + own[7];
}
static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = 0;
    u8 *last = (u8[]){$S};
    for (int i = 0; i < 4; i++) {
        u8 *next = __builtin_alloca(4);
        memcpy(next, i & 1 ? &in[i] : last, i & 1 ? 4 : 1);
        if (next[0] > 100 + $S)
            sum += $E;
        last = next;
    }
    return sum + $F_link(last, b, $S);
}
