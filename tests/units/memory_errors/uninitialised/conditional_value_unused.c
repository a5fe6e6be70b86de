// tine-test: fn=pair
// CWE-457: both operands of a choice are computed without branches. The undefined one must not be chosen.
int bad(int k) {
    int x, y = 3;
    if (k > 10)
        x = k;
    int z = k > 9 ? x : y;
    if (z == 5) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    int x, y = 3;
    if (k > 10)
        x = k;
    int z = k > 10 ? x : y;
    if (z == 5)
        return 1;
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
