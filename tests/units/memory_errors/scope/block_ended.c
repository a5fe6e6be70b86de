// tine-test: fn=pair
// CWE-562: a variable of a block is used after the block.
int bad(int x) {
    int *p = 0;
    if (x == 18) {
        int inner = x;
        p = &inner;
    }
    return p ? *p : 0; //~ ERROR use after scope
}

int good(int x) {
    int *p = 0, outer;
    if (x == 18) {
        outer = x;
        p = &outer;
    }
    return p ? *p : 0;
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
