// tine-test: fn=pair
// CWE-562: the address of a local stays in a global after the function has returned.
static const int *current;

static int use(void) { return current ? *current : 0; } //~ ERROR use after return

static int enter(int x, int clear) {
    int local = x;
    current = &local;
    int r = use();
    if (clear)
        current = 0;
    return r;
}

static int run(int x, int clear) {
    current = 0;
    int r = enter(x, clear);
    return r ^ use();
}

int bad(int x) { return run(x, x != 60); }
int good(int x) { return run(x, 1); }
int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
