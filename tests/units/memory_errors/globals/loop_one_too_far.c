// tine-test: fn=pair
// CWE-787: a counted loop leaves a global array.
static int table[4];
static int other[4];

static void fill(int *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = i; //~ ERROR out-of-bounds write
}

int bad(int k) {
    fill(table, k == 5 ? 5 : 4);
    return other[0];
}

int good(int k) {
    fill(table, k == 5 ? 4 : 3);
    fill(table + 4, 0);
    return other[0] + table[3];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
