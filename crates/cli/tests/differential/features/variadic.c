struct $F_pair { u32 a; u64 b; };
struct $F_large { u64 w[4]; };
static u64 $F_list(const char *kinds, va_list list) {
    u64 sum = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': sum += va_arg(list, u32); break;
        case 'l': sum = rotated(sum, 11) ^ va_arg(list, u64); break;
        case 'd': sum += (u64)(long long)va_arg(list, double); break;
        case 'p': { struct $F_pair p = va_arg(list, struct $F_pair); sum ^= p.b - p.a; break; }
        case 's': { struct $F_large l = va_arg(list, struct $F_large); sum += l.w[0] ^ l.w[3]; break; }
        case 'x': sum += (u64)(va_arg(list, unsigned __int128) >> 40); break;
        case 'a': sum += *va_arg(list, const u8 *); break;
        }
    }
    return sum;
}
static u64 $F_twice(const char *kinds, ...) {
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    u64 sum = $F_list(kinds, list);
    if (sum & 1)
        sum += $F_list(kinds, again) * 3;
    va_end(again);
    va_end(list);
    return sum;
}
static u64 $F(u64 a, u64 b, const u8 *in) {
    struct $F_pair p = {in[1], b};
    struct $F_large l = {{a, 2, 3, in[2]}};
    u64 sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += $F_twice("ildpsa", (u32)in[0], i == 1 ? a : sum, (double)(in[3] & 7), p, l, &in[4]);
        sum ^= $F_twice("iiiiiiilldddddddddd", 1, 2, 3, 4, 5, (u32)b, in[5] + 0u, a, (u64)$S, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0,
                        8.0, (double)in[6], (double)i);
        sum += $F_twice("xix", (unsigned __int128)a << 32 | b, (u32)$S, (unsigned __int128)$K << 60);
        if (sum % 3 == 1)
            p.b = $E;
    }
    return sum;
}
