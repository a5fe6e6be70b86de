// tine-test: fn=heap
// tine-test: fn=circle
static int compare(int x, int y) {
    return x - y; //~ ERROR signed integer overflow
}

static void sift(int *a, int root, int n) {
    for (;;) {
        int child = 2 * root + 1;
        if (child >= n)
            return;
        if (child + 1 < n && compare(a[child], a[child + 1]) < 0)
            child++;
        if (compare(a[root], a[child]) >= 0)
            return;
        int t = a[root];
        a[root] = a[child];
        a[child] = t;
        root = child;
    }
}

void heap(int p, int q, int r, int s) {
    int a[4] = {p, q, r, s};
    for (int i = 1; i >= 0; i--)
        sift(a, i, 4);
    for (int n = 3; n > 0; n--) {
        int t = a[0];
        a[0] = a[n];
        a[n] = t;
        sift(a, 0, n);
    }
}

/* Without overflow this is an order. After one the signs can go round in a circle. */
int circle(int x, int y, int z) {
    if (compare(x, y) < 0 && compare(y, z) < 0 && compare(z, x) < 0)
        return 1;
    return 0;
}
