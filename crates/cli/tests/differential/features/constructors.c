static u64 $F_state = 1;
__attribute__((constructor(500 + $S))) static void $F_early(void) { $F_state = $F_state * 3 + $S; }
__attribute__((constructor)) static void $F_late(void) { $F_state = rotated($F_state, 7) ^ $K; }
__attribute__((destructor)) static void $F_end(void) { printf("$F %llx\n", $F_state); }
static u64 $F(u64 a, u64 b, const u8 *in) {
    for (int i = 0; i < 3; i++) {
        if ((a ^ $F_state) & 1 << i)
            $F_state += $E;
    }
    return $F_state;
}
