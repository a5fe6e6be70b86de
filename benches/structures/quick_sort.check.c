/* op: sort */
#include "quick_sort.c"

#include <tine.h>

#define MOST 5

struct numbers {
    int a[MOST];
};

int can_sort(struct numbers numbers) { return 1; }

void sort(struct numbers numbers)
{
    int n = (int)tine_choice(MOST + 1, "n");
    quick_sort(numbers.a, n);
    for (int k = 0; k + 1 < n; k++)
        tine_assert(numbers.a[k] <= numbers.a[k + 1]);
}
