// tine-test: fn=pair verdict=incomplete
// CWE-789: an array of variable length that is much larger than the stack is one stack overflow.
int bad(int n) {
    if (n != 1000000000)
        return 0;
    char a[n]; //~ ERROR stack overflow
    a[0] = 1;
    a[n - 1] = 2;
    return a[n - 1];
}

int good(int n) {
    if (n < 1 || n > 100)
        return 0;
    char a[n];
    a[n - 1] = 2;
    return a[n - 1];
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
