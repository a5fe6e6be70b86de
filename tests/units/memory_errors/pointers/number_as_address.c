// tine-test: fn=pair
// CWE-476: a number is used as an address. It is not aligned either, which is not an error of its own.

int bad(int n) {
    int *p = (int *)(long)n;
    if (n == 12345)
        return *p; //~ ERROR invalid memory access
    return 0;
}

int good(int n) {
    int *p = &n;
    if (n == 12345)
        return *p;
    return 0;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
