// tine-test: fn=pair
// CWE-121: neighbours are compared up to the last element, which has none.
static void pass(unsigned char *a, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] > a[i + 1]) { //~ ERROR out-of-bounds read
            unsigned char t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
}

int bad(unsigned char x) {
    unsigned char a[3] = {2, x, 1};
    pass(a, x == 200 ? 3 : 2);
    return a[0];
}

int good(unsigned char x) {
    unsigned char a[3] = {2, x, 1};
    pass(a, 2);
    return a[0];
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
