/* Heap sort of an array. */

static void swap(int *a, int *b)
{
    int was = *a;
    *a = *b;
    *b = was;
}

/* Lets `a[root]` sink until no child is larger. */
static void sift_down(int *a, int root, int n)
{
    for (;;) {
        int child = 2 * root + 1;
#ifndef BUG_LAST_CHILD
        if (child >= n)
            return;
#else
        if (child >= n - 1)
            return;
#endif
        if (child + 1 < n && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        swap(&a[root], &a[child]);
        root = child;
    }
}

void heap_sort(int *a, int n)
{
    for (int root = n / 2 - 1; root >= 0; root--)
        sift_down(a, root, n);
    for (int last = n - 1; last > 0; last--) {
        swap(&a[0], &a[last]);
        sift_down(a, 0, last);
    }
}
