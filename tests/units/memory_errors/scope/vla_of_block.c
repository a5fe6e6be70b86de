// tine-test: fn=pair
// CWE-562: a variable-length array ends with its block.
int bad(int n) {
    char *p = 0;
    if (n < 1 || n > 4)
        return 0;
    {
        char a[n];
        a[0] = 1;
        p = a;
    }
    return n == 3 ? p[0] : 0; //~ ERROR use after scope
}

int good(int n) {
    int s = 0;
    if (n < 1 || n > 4)
        return 0;
    for (int i = 1; i <= n; i++) {
        char a[i], *p = a + i;
        p[-1] = 1;
        s += a[i - 1];
    }
    return s;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
