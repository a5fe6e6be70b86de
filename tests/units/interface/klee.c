// tine-test: program
// A program written for KLEE: the sign of a number, and what an assumption leaves of it.
#include <klee/klee.h>

static int get_sign(int x) {
    if (x == 0)                             //~ COVERED
        return 0;
    if (x < 0)                              //~ COVERED
        return -1;
    return 1;
}

int main(void) {
    int a;
    klee_make_symbolic(&a, sizeof(a), "a");
    klee_assume(a != 77);
    if (a == 77)
        return 1;                           //~ UNREACHABLE
    int n = klee_range(3, 6, "n");
    if (n < 3 || n > 5)
        return 2;                           //~ UNREACHABLE
    if (get_sign(a) < 0 && n == 4)          //~ COVERED
        klee_assert(a != -40);              //~ ERROR assertion failure
    return 0;
}
