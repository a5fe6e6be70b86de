// tine-test: fn=pair
// CWE-121: `*p++` past a local array.
int bad(unsigned n) {
    int a[4], *p = a;
    if (n > 5)
        return 0;
    for (unsigned i = 0; i < n; i++)
        *p++ = (int)i; //~ ERROR out-of-bounds write
    return n ? a[0] : 0;
}

int good(unsigned n) {
    int a[4], *p = a;
    if (n > 4)
        return 0;
    for (unsigned i = 0; i < n; i++)
        *p++ = (int)i;
    return p == a + 4 ? p[-1] : 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
