// tine-test: fn=pair
// CWE-394: one way through a function gives no value, and the value is used.
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int bad(int x) {
    if (sign(x) == 1) //~ ERROR uninitialised read
        return 3;
    return 4;
}

int good(int x) {
    sign(x); /* not an error if the value is not used */
    if (x && sign(x) == 1)
        return 3;
    return 4;
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
