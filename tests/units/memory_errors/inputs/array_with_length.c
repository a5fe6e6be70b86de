// tine-test: fn=pair len=a=n verdict=bounded reason=max-elements unnoticed
// CWE-788: an array that is an input, with the length that the caller gives.
int bad(const int *a, unsigned n) {
    int max = a[0];
    for (unsigned i = 1; i <= n; i++)
        if (a[i] > max) //~ ERROR array index out of bounds
            max = a[i];
    return max;
}

int good(const int *a, unsigned n) {
    int max = a[0];
    for (unsigned i = 1; i < n; i++)
        if (a[i] > max)
            max = a[i];
    return max;
}

int pair(int faulty, const int *a, unsigned n) { return !a || n < 1 || n > 3 ? 0 : faulty ? bad(a, n) : good(a, n); }
