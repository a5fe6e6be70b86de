// tine-test: fn=pair
// CWE-457: an index that was never set decides an address.
int bad(int k) {
    static const int table[4] = {1, 2, 3, 4};
    unsigned i;
    if (k < 100)
        i = (unsigned)k % 4;
    return table[i & 3]; //~ ERROR uninitialised read
}

int good(int k) {
    static const int table[4] = {1, 2, 3, 4};
    unsigned i;
    if (k < 100)
        i = (unsigned)k % 4;
    else
        i = 0;
    return table[i & 3];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
