// tine-test: fn=pair
// A value that was not set leaves the program.
#include <stdio.h>

static void fill(int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = i;
}

static int both(int faulty, int k) {
    int a[4];
    fill(a, faulty ? 3 : 4);
    if (k == 17)
        printf("%d\n", a[3]); //~ ERROR uninitialised read
    return 0;
}

int pair(int faulty, int k) { return both(faulty, k); }
