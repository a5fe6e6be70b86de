// tine-test: fn=pair
// CWE-121: the last element of a variable-length array.
int bad(int n) {
    if (n < 1 || n > 6)
        return 0;
    char a[n], *p = a;
    for (int i = 0; i <= n; i++)
        *p++ = 1; //~ ERROR out-of-bounds write
    return a[0];
}

int good(int n) {
    if (n < 1 || n > 6)
        return 0;
    int s = 0;
    for (int round = 0; round < 3; round++) { /* a new array in each round */
        char a[n + round], *p = a;
        while (p < a + n + round)
            *p++ = 1;
        s += a[n + round - 1];
    }
    return s;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
