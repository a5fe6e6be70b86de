// tine-test: fn=pair
// CWE-789: the length of a variable-length array is an unchecked input.
int bad(int n) {
    if (n > 8)
        return 0;
    char a[n]; //~ ERROR variable-length array of non-positive size
    a[0] = 1;
    return a[0];
}

int good(int n) {
    if (n > 8)
        return 0;
    char a[n < 1 ? 1 : n];
    a[0] = 1;
    return a[0];
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
