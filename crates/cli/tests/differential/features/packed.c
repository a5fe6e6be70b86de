struct __attribute__((packed)) $F_packed { u8 tag; u32 n; u16 half; u64 word; u8 rest[3]; };
union $F_view { struct $F_packed p; u8 bytes[sizeof(struct $F_packed)]; };
static u64 $F(u64 a, u64 b, const u8 *in) {
    union $F_view list[3];
    u64 sum = 0;
    memset(list, $S, sizeof list);
    for (int i = 0; i < 6; i++) {
        struct $F_packed *p = &list[i % 3].p;
        p->n += i == 1 ? (u32)a : in[i];
        p->half ^= p->n >> 3;
        p->word = rotated(p->word + b, p->tag);
        p->tag = list[(i + 1) % 3].bytes[in[0] % sizeof(struct $F_packed)];
        if (p->half > p->n)
            sum += $E;
        memmove(p->rest, &list[i % 3].bytes[i], 3);
        sum = rotated(sum, 3) ^ p->rest[1] ^ p->word;
    }
    return sum;
}
