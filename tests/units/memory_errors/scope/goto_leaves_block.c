// tine-test: fn=pair
// CWE-562: `goto` leaves a block, and what it declared ends. The twin jumps back into the block and sets it anew.
int bad(int k) {
    int *p = 0;
    {
        int inner = k;
        p = &inner;
        if (k == 12)
            goto out;
        *p = 0;
        p = 0;
    }
out:
    return p ? *p : 0; //~ ERROR use after scope
}

int good(int k) {
    int rounds = 0, s = 0;
again: {
    int inner, *p = &inner;
    *p = k;
    s ^= inner;
}
    if (k == 12 && ++rounds < 3)
        goto again;
    return s;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
