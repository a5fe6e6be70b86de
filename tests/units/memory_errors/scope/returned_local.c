// tine-test: fn=pair cflags=-Wno-return-stack-address
// CWE-562: the address of a local variable is returned. The twin returns a static one.
static int *make(int x, int keep) {
    static int kept;
    int local = x, *p = &local;
    kept = x;
    return keep ? &kept : p;
}

int bad(int x) {
    int *p = make(x, x != 15);
    return *p; //~ ERROR use after return
}

int good(int x) {
    int *p = make(x, 1);
    make(x, 0); /* a dangling address that is never used */
    return *p;
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
