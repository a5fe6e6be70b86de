// tine-test: fn=pair
// CWE-457: constant indices, so that the elements become registers.
int bad(int k) {
    int a[4];
    a[1] = k;
    if (k == 5 && a[2]) //~ ERROR uninitialised read
        return 1;
    return a[1];
}

int good(int k) {
    int a[4];
    a[1] = k;
    a[2] = 7;
    if (k == 5 && a[2])
        return 1;
    return a[1];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
