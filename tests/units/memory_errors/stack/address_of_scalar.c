// tine-test: fn=pair
// CWE-121: a single variable is filled as if it were an array.
static void fill(int *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = i; //~ ERROR out-of-bounds write
}

int bad(int k) {
    int one = 5;
    fill(&one, k == 3 ? 2 : 1);
    return one;
}

int good(int k) {
    int one = 5;
    fill(&one, k == 3 ? 1 : 0);
    int *end = &one + 1; /* one past a scalar is fine as well */
    return end - &one == 1 ? end[-1] : 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
