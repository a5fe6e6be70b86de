// tine-test: fn=pair
// CWE-457: frames come and go at the same addresses; each starts undefined.
static int twice(const int *p, int n) {
    int copy[3], s = 0;
    for (int i = 0; i < n; i++)
        copy[i] = p[i];
    for (int i = 0; i < 3; i++)
        if (i < n && copy[i] == 2)
            s++;
    return s;
}

static int careless(const int *p, int n) {
    int copy[3], s = 0;
    for (int i = 0; i < n; i++)
        copy[i] = p[i];
    for (int i = 0; i < 3; i++)
        if (copy[i] == 2) //~ ERROR uninitialised read
            s++;
    return s;
}

int bad(int k) {
    int a[3] = {k, 2, 3};
    return twice(a, 3) + careless(a, k == 8 ? 2 : 3);
}

int good(int k) {
    int a[3] = {k, 2, 3};
    return twice(a, 3) + twice(a, k == 8 ? 2 : 3);
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
