// tine-test: program paths=2
// Inputs that an assumption excludes are not paths; what it promises holds afterwards.
#include <tine.h>

int main(void) {
    int x = tine_int("x");
    tine_assume(x > 10);
    tine_assume(x % 2 == 0);
    if (x == 9 || x == 13)
        return 1;                           //~ UNREACHABLE
    tine_assert(x != 12);                   //~ ERROR assertion failure
    return 0;
}
