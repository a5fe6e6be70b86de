// tine-test: fn=pair
// CWE-562: `longjmp` leaves the function that an array belongs to.
#include <setjmp.h>

static jmp_buf start;
static int *kept, whole[4];

static void leave(void) {
    int own[4] = {1};
    kept = own;
    longjmp(start, 1);
}

static void stay(void) {
    kept = whole;
    longjmp(start, 1);
}

int bad(int n) {
    if (!setjmp(start))
        leave();
    if (n == 3)
        return kept[0]; //~ ERROR use after return
    return 0;
}

int good(int n) {
    if (!setjmp(start))
        stay();
    if (n == 3)
        return kept[0];
    return 0;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
