// tine-test: fn=pair
// CWE-562: a callee gets the address of a variable whose block has ended.
static int twice(const int *p) { return *p / 2; } //~ ERROR use after scope

int bad(int k) {
    const int *p = &k;
    {
        int inner = k;
        if (k == 26)
            p = &inner;
    }
    return twice(p);
}

int good(int k) {
    const int *p = &k;
    int s = 0;
    {
        int inner = k;
        if (k == 26)
            p = &inner;
        s = twice(p);
    }
    return s;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
