static _Atomic u32 $F_counter;
static u64 $F_word;
static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = 0;
    __atomic_store_n(&$F_word, b, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 6; i++) {
        $F_counter += i == $S ? in[i] : 3u;
        sum += __atomic_fetch_xor(&$F_word, $E, __ATOMIC_RELAXED);
        u64 expected = i & 1 ? a : __atomic_load_n(&$F_word, __ATOMIC_ACQUIRE);
        if (__atomic_compare_exchange_n(&$F_word, &expected, a + $F_counter, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            sum ^= rotated(expected, i);
        else
            sum += expected;
        sum += __atomic_exchange_n(&$F_word, sum | $K, __ATOMIC_ACQ_REL) & 0xff;
    }
    return sum + $F_counter + __sync_fetch_and_sub(&$F_word, 1);
}
