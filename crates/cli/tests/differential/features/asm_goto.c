static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = b;
    for (u32 i = 0; i < 5; i++) {
        u32 next = i + $S;
        __asm__ goto("cmpl $4, %0; je %l[same]; ja %l[above]" : : "r"(i) : "cc" : same, above);
        sum += $E;
        continue;
    same:
        sum ^= a + in[i];
        if (sum & 1)
            continue;
    above:
        sum = rotated(sum, next);
    }
    __asm__("" : "+r"(sum));
    return sum;
}
