// tine-test: fn=pair
// CWE-121: an index of an array whose type is known. The twin passes the address one past the end.
static int sum(const int *p, const int *end) {
    int s = 0;
    while (p < end)
        s += *p++;
    return s;
}

int bad(int i) {
    int a[6] = {1, 2, 3};
    if (i >= 0 && i <= 6)
        a[i] = 7; //~ ERROR array index out of bounds
    return a[0];
}

int good(int i) {
    int a[6] = {1, 2, 3};
    if (i < 0 || i > 6)
        return 0;
    return sum(&a[i], &a[6]);
}

int pair(int faulty, int i) { return faulty ? bad(i) : good(i); }
