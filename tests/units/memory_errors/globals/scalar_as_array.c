// tine-test: fn=pair
// CWE-126: the bytes of a global number are read, one too many.
static unsigned number = 0x01020304;

static unsigned sum(const unsigned char *p, int n) {
    unsigned s = 0;
    while (n--)
        s += *p++; //~ ERROR out-of-bounds read
    return s;
}

int bad(int k) { return (int)sum((unsigned char *)&number, k == 6 ? 5 : 4); }
int good(int k) { return (int)sum((unsigned char *)&number, k == 6 ? 4 : 0); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
