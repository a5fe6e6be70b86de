// tine-test: fn=pair
// CWE-476: the check comes after the use.
int bad(int *p) {
    int x = *p; //~ ERROR null pointer dereference
    if (!p)
        return 0;
    return x;
}

int good(int *p) {
    int *same = &*p; /* no access */
    if (!p)
        return 0;
    return *same;
}

int pair(int faulty, int *p) { return faulty ? bad(p) : good(p); }
