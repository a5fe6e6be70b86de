// tine-test: fn=pair
// CWE-124: popping an empty stack, and pushing.
static int stack[4];
static int *top = stack;

static void replace(int x, int check) {
    if (check && top == stack)
        top++;
    top[-1] = x; //~ ERROR out-of-bounds write
}

static int run(unsigned depth, int check) {
    if (depth > 4)
        return 0;
    top = stack + depth;
    replace(7, check);
    return stack[0];
}

int bad(unsigned depth) { return run(depth, 0); }
int good(unsigned depth) { return run(depth, 1); }
int pair(int faulty, unsigned depth) { return faulty ? bad(depth) : good(depth); }
