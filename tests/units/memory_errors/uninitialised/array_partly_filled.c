// tine-test: fn=pair
// CWE-457: more elements are summed up than were set.
static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

int bad(int n) {
    int a[4];
    if (n < 0 || n > 4)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    if (sum(a, n == 3 ? 4 : n) == 17) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int n) {
    int a[4];
    if (n < 0 || n > 4)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    if (sum(a, n) == 17)
        return 1;
    return 0;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
