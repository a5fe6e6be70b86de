// tine-test: fn=recursion paths=7
// The depth of the recursion is an input.
#include <tine.h>

static unsigned factorial(unsigned n) {
    if (n == 0)                             //~ COVERED
        return 1;
    return n * factorial(n - 1);
}

int recursion(unsigned n) {
    if (n > 5u)                             //~ COVERED
        return -1;
    tine_assert(factorial(n) != 24u);       //~ ERROR assertion failure
    return 0;
}
