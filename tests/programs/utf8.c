// tine-test: fn=decode
// One character of UTF-8.
static int follows(unsigned char c) {
    return (c & 0xc0) == 0x80;
}

int decode(unsigned char a, unsigned char b, unsigned char c) {
    if (a < 0x80)
        return a;
    if (a >= 0xc2 && a <= 0xdf)
        return follows(b) ? (a & 31) << 6 | (b & 63) : -1;
    if ((a & 0xf0) == 0xe0) {
        if (!follows(b) || !follows(c))
            return -1;
        int code = (a & 15) << 12 | (b & 63) << 6 | (c & 63);
        int is_surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < 0x800 || is_surrogate ? -2 : code;
    }
    return a == 0xf0 || a == 0xf4 ? -3 : -1;
}
