// tine-test: fn=pair
// CWE-457: undefined values may be passed and returned; a decision by them is the error.
static unsigned second(unsigned a, unsigned b) { return b + (a & 0); }
static unsigned first(unsigned a, unsigned b) { return a + (b & 0); }

int bad(int k) {
    unsigned x;
    if (k != 4)
        x = (unsigned)k;
    if (first(x, 2) == 7) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    unsigned x;
    if (k != 4)
        x = (unsigned)k;
    if (second(x, (unsigned)k & 7) == 7) /* the undefined bits are masked out */
        return 1;
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
