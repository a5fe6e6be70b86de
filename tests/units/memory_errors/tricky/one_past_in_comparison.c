// tine-test: fn=pair
// CWE-126: the end of one array may be the address of the next; comparing it is fine, reading is not.
int bad(int k) {
    struct {
        int a[2], b[2];
    } s = {{1, 2}, {3, 4}};
    int *end = s.b + 2;
    return k == 4 ? *end : end == s.a; //~ ERROR out-of-bounds read
}

int good(int k) {
    struct {
        int a[2], b[2];
    } s = {{1, 2}, {3, 4}};
    int *end = s.a + 2, n = 0;
    for (int *p = s.a; p < end; p++)
        n += *p;
    return k == 4 ? end == s.b : n;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
