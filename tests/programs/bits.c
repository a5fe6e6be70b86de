// tine-test: fn=bits
// Bits of a byte.
static int ones(unsigned char x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

int bits(unsigned char x) {
    int is_power = x && !(x & (x - 1));
    int parity = ones(x) % 2 ? -1 : 7;   //~ GCOV choice
    unsigned sign = x & 0x80 ? 0xffffff00u : 0;   //~ GCOV choice
    if (!(is_power || x == 0))
        return parity;
    return (sign >> 8 && x > 3) + !(x & 1 && x > 1);
}
