// tine-test: fn=pair
// CWE-457: a function that should set its out parameter returns early.
static int parse(int k, int *out) {
    if (k == 77)
        return -1;
    *out = k & 15;
    return 0;
}

int bad(int k) {
    int value;
    parse(k, &value);
    if (value > 3) //~ ERROR uninitialised read
        return 1;
    return 2;
}

int good(int k) {
    int value;
    if (parse(k, &value) < 0)
        return 0;
    return value > 3 ? 1 : 2;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
