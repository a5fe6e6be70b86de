static u64 $F_total(u32 n, u32 m, u16 (*table)[m]) {
    u64 sum = 0;
    for (u32 i = 0; i < n; i++)
        for (u32 j = 0; j < m; j++)
            sum = rotated(sum, 1) + table[i][j];
    return sum;
}
static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = a;
    for (u32 r = 0; r < 3; r++) {
        u32 n = 1 + (r == 1 ? in[0] & 3 : $S), m = 2 + r;
        u16 table[n][m];
        memset(table, 0, sizeof table);
        for (u32 i = 0; i < n; i++)
            for (u32 j = 0; j < m; j++)
                table[i][j] = (u16)(i == 1 ? sum >> j : in[j] + b);
        if (table[n - 1][0] & 1)
            sum += $E;
        sum ^= $F_total(n, m, table) + sizeof table;
    }
    return sum;
}
