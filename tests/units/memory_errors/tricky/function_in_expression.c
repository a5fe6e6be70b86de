// tine-test: fn=pair
// CWE-562: a statement expression has a scope of its own. Its value may be used, the address of its variable not.
int bad(int k) {
    int *p = &k;
    if (k == 13)
        p = ({
            int inner = 4;
            &inner;
        });
    return *p; //~ ERROR use after scope
}

int good(int k) {
    int v = ({
        int inner = 4;
        inner + (k == 13);
    });
    return v;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
