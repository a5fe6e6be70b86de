// tine-test: fn=pair
// CWE-369: the mean of nothing.
int bad(const int *a, unsigned n) {
    int s = 0;
    if (n > 3 || (n && !a))
        return 0;
    for (unsigned i = 0; i < n; i++)
        s ^= a[i];
    return s / (int)n; //~ ERROR division by zero
}

int good(const int *a, unsigned n) {
    int s = 0;
    if (n > 3 || (n && !a))
        return 0;
    for (unsigned i = 0; i < n; i++)
        s ^= a[i];
    return n ? s / (int)n : 0;
}

int pair(int faulty, const int *a, unsigned n) { return faulty ? bad(a, n) : good(a, n); }
