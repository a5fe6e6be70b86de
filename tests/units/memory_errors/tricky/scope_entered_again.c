// tine-test: fn=pair
// CWE-562: a block is entered in each round; its variable is at the same address, and its address is valid again.
int bad(int n) {
    int *kept = 0, s = 0;
    for (int i = 0; i < 3; i++) {
        if (i == 1) {
            int once = i;
            kept = &once;
            s += *kept;
        } else if (i == 2 && n == 5) {
            s += *kept; //~ ERROR use after scope
        }
    }
    return s;
}

int good(int n) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int *kept;
        {
            int inner[4];
            kept = inner;
            for (int k = 0; k < 4; k++)
                kept[k] = i;
            s += inner[n & 3];
        }
        int after = i;
        kept = &after;
        s += *kept;
        if (n == 5)
            continue;
    }
    return s;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
