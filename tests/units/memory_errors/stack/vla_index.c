// tine-test: fn=pair
// CWE-788: index and length of a variable-length array are inputs.
int bad(unsigned n, unsigned i) {
    if (n < 1 || n > 4 || i > 4)
        return 0;
    int a[n];
    for (unsigned k = 0; k < n; k++)
        a[k] = 0;
    return a[i]; //~ ERROR array index out of bounds
}

int good(unsigned n, unsigned i) {
    if (n < 1 || n > 4 || i >= n)
        return 0;
    int a[n];
    for (unsigned k = 0; k < n; k++)
        a[k] = 0;
    return a[i];
}

int pair(int faulty, unsigned n, unsigned i) { return faulty ? bad(n, i) : good(n, i); }
