/* Quick sort of an array. */

static void swap(int *a, int *b)
{
    int was = *a;
    *a = *b;
    *b = was;
}

/* Smaller elements to the left of the pivot; where that is then. */
static int partition(int *a, int n)
{
    int pivot = a[n / 2], small = 0;
    swap(&a[n / 2], &a[n - 1]);
    for (int k = 0; k < n - 1; k++)
        if (a[k] < pivot)
            swap(&a[k], &a[small++]);
    swap(&a[small], &a[n - 1]);
    return small;
}

void quick_sort(int *a, int n)
{
    if (n <= 1)
        return;
    int middle = partition(a, n);
    quick_sort(a, middle);
#ifndef BUG_RIGHT_PART
    quick_sort(a + middle + 1, n - middle - 1);
#else
    quick_sort(a + middle + 1, n - middle - 2);
#endif
}
