static jmp_buf $F_buffer;
static u64 $F_steps;
static void $F_throw(u64 x, int depth) {
    u8 room[8] = {0};
    memcpy(room, &x, 8);
    $F_steps += room[depth & 7];
    if ((x & 7) == (u64)depth)
        longjmp($F_buffer, depth + 1);
    if (depth < 6)
        $F_throw(x + $F_steps, depth + 1);
}
static u64 $F(u64 a, u64 b, const u8 *in) {
    volatile u64 sum = b;
    volatile int rounds = 0;
    $F_steps = $S;
    switch (setjmp($F_buffer)) {
    case 0: sum += 1; break;
    case 1: sum ^= $K; break;
    case 3: sum += in[1]; break;
    default: sum = rotated(sum, 5); break;
    }
    if (rounds < 4) {
        rounds = rounds + 1;
        $F_throw(rounds == 2 ? a : sum, 0);
    }
    return sum + $F_steps + (u64)rounds;
}
