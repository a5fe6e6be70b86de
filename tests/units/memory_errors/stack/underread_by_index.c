// tine-test: fn=pair
// CWE-127: the element before the first is read when an insertion reaches the front.
static int insert(int *a, int n, int x, int stop) {
    int i = n;
    while (i >= stop && a[i - 1] > x) { //~ ERROR out-of-bounds read
        a[i] = a[i - 1];
        i--;
    }
    a[i] = x;
    return i;
}

int bad(int x) {
    int a[4] = {2, 4, 6};
    return insert(a, 3, x, 0);
}

int good(int x) {
    int a[4] = {2, 4, 6};
    return insert(a, 3, x, 1);
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
