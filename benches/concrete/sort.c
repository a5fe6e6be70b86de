/* Sorts an array of integers by heapsort and by quicksort. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000000, ROUNDS = 3 };

static uint32_t state = 12345;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void sift_down(int *a, int start, int end)
{
    int root = start;
    while (2 * root + 1 <= end) {
        int child = 2 * root + 1;
        if (child + 1 <= end && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        int swap = a[root];
        a[root] = a[child];
        a[child] = swap;
        root = child;
    }
}

static void heap_sort(int *a, int n)
{
    for (int start = n / 2 - 1; start >= 0; start--)
        sift_down(a, start, n - 1);
    for (int end = n - 1; end > 0; end--) {
        int swap = a[0];
        a[0] = a[end];
        a[end] = swap;
        sift_down(a, 0, end - 1);
    }
}

static void quick_sort(int *a, int low, int high)
{
    while (low < high) {
        int pivot = a[low + (high - low) / 2];
        int i = low;
        int j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int swap = a[i];
                a[i] = a[j];
                a[j] = swap;
                i++;
                j--;
            }
        }
        if (j - low < high - i) {
            quick_sort(a, low, j);
            low = i;
        } else {
            quick_sort(a, i, high);
            high = j;
        }
    }
}

static uint32_t checksum(const int *a, int n)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i - 1] > a[i])
            abort();
        sum = sum * 31 + (uint32_t)a[i];
    }
    return sum;
}

int main(void)
{
    int *a = malloc(N * sizeof *a);
    uint32_t sum = 0;
    if (!a)
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            a[i] = (int)next_random();
        heap_sort(a, N);
        sum ^= checksum(a, N);
        for (int i = 0; i < N; i++)
            a[i] = (int)next_random();
        quick_sort(a, 0, N - 1);
        sum ^= checksum(a, N);
    }
    printf("%08x\n", sum);
    free(a);
    return 0;
}
