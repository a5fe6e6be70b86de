static u64 $F(u64 a, u64 b, const u8 *in) {
    static const void *const table[] = {&&add, &&shift, &&test, &&fixed, &&end};
    static const int distances[] = {&&inner - &&first, &&first - &&first};
    u64 sum = a;
    const void *next = &&fixed;
    u32 pc = 0;
    u8 code[8] = {0, 2, in[0], 1, in[1], 3, 2, 4};
#define NEXT goto *table[code[pc++ & 7] % 5]
    NEXT;
add:
    sum += $E;
    if (pc > 24)
        goto end;
    NEXT;
shift:
    sum = rotated(sum, $S) / (u32)(b | 1);
    NEXT;
test:
    if ((sum >> $S) % 3 == 0)
        goto *next;
    NEXT;
fixed:
    sum ^= $K;
    next = &&end;
    if (pc++ < 9)
        goto *table[1];
    NEXT;
end:
#undef NEXT
    goto *(&&first + distances[sum & 1]);
first:
    sum += in[3] > $S;
inner:
    return sum;
}
