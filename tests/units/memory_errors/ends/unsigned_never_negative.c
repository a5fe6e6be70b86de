// tine-test: fn=pair
// CWE-835: a wide unsigned counter is never below zero. The loop is proved infinite, although no state returns soon.
int bad(unsigned n) {
    int c = 0;
    if (n > 10)
        return 0;
    for (unsigned i = n; i >= 0; i--) //~ ERROR endless loop
        c = !c;
    return c;
}

int good(unsigned n) {
    int c = 0;
    if (n > 10)
        return 0;
    for (unsigned i = n; i > 0; i--)
        c = !c;
    return c;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
