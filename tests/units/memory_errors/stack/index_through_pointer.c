// tine-test: fn=pair
// CWE-126: a callee indexes the caller's array by an input.
static int get(const short *p, int i) { return p[i]; } //~ ERROR out-of-bounds read

int bad(int i) {
    short a[5] = {1, 2, 3, 4, 5};
    return i >= 0 && i <= 5 ? get(a, i) : 0;
}

int good(int i) {
    short a[5] = {1, 2, 3, 4, 5};
    return i >= -2 && i <= 2 ? get(a + 2, i) : 0;
}

int pair(int faulty, int i) { return faulty ? bad(i) : good(i); }
