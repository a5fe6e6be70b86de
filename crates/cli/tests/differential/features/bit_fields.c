struct $F_fields {
    unsigned a : 3, b : 11;
    int c : 5;
    u64 d : 37;
    _Bool e : 1;
    u8 f : 7;
    signed char g : 2;
};
static u64 $F(u64 a, u64 b, const u8 *in) {
    struct $F_fields f = {0}, copy;
    u64 sum = 0;
    for (int i = 0; i < 6; i++) {
        f.a += i == 2 ? in[0] : $S;
        f.b ^= b + f.a;
        f.c = (int)((f.b + i) & 15) - 8;
        f.d += $E;
        f.e = f.d & 4;
        f.f = f.e ? in[i] : f.f + 1;
        f.g = (int)(f.f & 3) - 2;
        copy = f;
        if (copy.c < 0)
            sum += copy.d;
        else if (copy.e && copy.g == -1)
            sum ^= copy.f * $K;
        sum = rotated(sum, copy.a) + copy.b;
    }
    return sum + a;
}
