// tine-test: fn=pair
// CWE-457: a flag is set only if a loop runs at least once.
int bad(unsigned n) {
    int found;
    if (n > 3)
        return 0;
    for (unsigned i = 0; i < n; i++)
        found = i == 2;
    if (found) //~ ERROR uninitialised read
        return 1;
    return 2;
}

int good(unsigned n) {
    int found;
    if (n > 3)
        return 0;
    for (unsigned i = 0; i <= n; i++)
        found = i == 2;
    if (found)
        return 1;
    return 2;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
