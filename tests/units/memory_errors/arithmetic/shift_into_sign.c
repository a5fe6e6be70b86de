// tine-test: fn=pair
// CWE-190: four bytes are put together in an `int`; the twin does it in an unsigned.
int bad(const unsigned char *p) { return p ? p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24 : 0; } //~ ERROR invalid shift
int good(const unsigned char *p) { return p ? (int)(p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24) : 0; }

int pair(int faulty, int x) {
    unsigned char bytes[4] = {1, 2, 3, (unsigned char)x};
    return faulty ? bad(bytes) : good(bytes);
}
