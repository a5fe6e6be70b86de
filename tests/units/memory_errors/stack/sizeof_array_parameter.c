// tine-test: fn=pair
// CWE-467: an array parameter is a pointer, so its size is not that of the array.
#include <string.h>

static void clear(int a[2]) {
    memset(a, 0, sizeof a * 2); //~ ERROR out-of-bounds write
}

static void clear_all(int (*a)[4]) { memset(*a, 0, sizeof *a); }

int bad(int k) {
    int two[2] = {1, 2}, four[4] = {1, 2, 3, 4};
    clear(k == 3 ? two : four);
    return two[0] + four[3];
}

int good(int k) {
    int four[4] = {1, 2, 3, 4};
    if (k == 3)
        clear_all(&four);
    return four[3];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
