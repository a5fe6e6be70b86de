// tine-test: fn=pair
// CWE-457: a callee sets its output parameter only on success.
static int parse(char c, int *value) {
    if (c < '0' || c > '9')
        return 0;
    *value = c - '0';
    return 1;
}

int bad(char c) {
    int value;
    parse(c, &value);
    if (value > 4) //~ ERROR uninitialised read
        return 1;
    return 2;
}

int good(char c) {
    int value;
    if (!parse(c, &value))
        return 0;
    if (value > 4)
        return 1;
    return 2;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
