/* Sorts of five numbers whose comparison is a difference, as in KLEE's examples. */
static int compare(int x, int y) { return x - y; }

static void swap(int *x, int *y) {
    int t = *x;
    *x = *y;
    *y = t;
}

static void sort_range(int *a, int first, int last) {
    if (first >= last)
        return;
    int at = first;
    for (int k = first; k < last; k++)
        if (compare(a[k], a[last]) < 0)
            swap(&a[k], &a[at++]);
    swap(&a[at], &a[last]);
    sort_range(a, first, at - 1);
    sort_range(a, at + 1, last);
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
        swap(&a[root], &a[child]);
        root = child;
    }
}

void quick(int a, int b, int c, int d, int e) {
    int all[5] = {a, b, c, d, e};
    sort_range(all, 0, 4);
}

void heap(int a, int b, int c, int d, int e) {
    int all[5] = {a, b, c, d, e};
    for (int k = 1; k >= 0; k--)
        sift(all, k, 5);
    for (int n = 4; n > 0; n--) {
        swap(&all[0], &all[n]);
        sift(all, 0, n);
    }
}
