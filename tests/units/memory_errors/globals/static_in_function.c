// tine-test: fn=pair
// CWE-787: a static buffer of a function, filled over several calls.
static int add(char c, unsigned limit) {
    static char line[3];
    static unsigned used;
    char *p = line;
    if (c == 0)
        used = 0;
    else if (used < limit)
        p[used++] = c; //~ ERROR out-of-bounds write
    return line[0];
}

static int run(unsigned n, unsigned limit) {
    add(0, limit);
    for (unsigned i = 0; i < n && i < 5; i++)
        add('x', limit);
    return add(0, limit);
}

int bad(unsigned n) { return run(n, 4); }
int good(unsigned n) { return run(n, 3); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
