/* What follows an early return, or an exit, depends on it. */
#include <stdlib.h>
static void check(int x) {
    if (x == 99)                    //~ INFLUENCED
        exit(3);
}
int f(int a, int b) {
    if (b == 5)                     //~ UNRELATED
        b = 6;
    int t = a ^ 3;                  //~ TARGET
    check(t);
    if (b == 1)                     //~ INFLUENCED
        return 1;
    return 0;
}
