// tine-test: fn=pair
// CWE-129: a jump table is indexed without a check.
static int zero(int x) { return x & 0; }
static int same(int x) { return x; }
static int half(int x) { return x / 2; }
static int (*const operations[])(int) = {zero, same, half};

int bad(unsigned op, int x) {
    if (op > 3)
        return 0;
    return operations[op](x); //~ ERROR array index out of bounds
}

int good(unsigned op, int x) {
    if (op >= sizeof operations / sizeof *operations)
        return 0;
    return operations[op](x);
}

int pair(int faulty, unsigned op, int x) { return faulty ? bad(op, x) : good(op, x); }
