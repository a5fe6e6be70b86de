// tine-test: fn=pair
// CWE-457: one way through the function does not set the variable.
int bad(int k) {
    int x;
    if (k != 1234)
        x = k / 2;
    if (x > 10) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    int x;
    if (k != 1234)
        x = k / 2;
    if (k != 1234 && x > 10)
        return 1;
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
