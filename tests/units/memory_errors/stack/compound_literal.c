// tine-test: fn=pair
// CWE-126: an unnamed array is shorter than the callee believes.
static int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i]; //~ ERROR out-of-bounds read
    return s;
}

int bad(int k) { return sum((int[]){1, 2, 3}, k == 12 ? 4 : 3); }
int good(int k) { return sum((int[4]){1, 2, 3}, k == 12 ? 4 : 3); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
