// tine-test: fn=pair
// CWE-457: bytes that an earlier call left on the stack are not initialised.
static int leave(int x) {
    volatile int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = x;
    return a[3];
}

static int find(int k, int set) {
    int a[8];
    if (set)
        a[3] = k;
    int *p = a + 3;
    if (*p == 9) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int bad(int k) { return leave(9) + find(k, k != 21); }
int good(int k) { return leave(9) + find(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
